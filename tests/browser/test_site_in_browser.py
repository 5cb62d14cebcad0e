"""A site in a real browser: every page from a folder and from a server, on narrow and wide screens, light and dark.

It needs Debian's chromium and chromium-driver, which `make chromium` installs, and selenium, which `make browser`
installs. Elsewhere all is skipped.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE_SECONDS
from tests.site_pages import made_site

pytest.importorskip("selenium", reason="selenium is not installed; make browser installs it")

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="make chromium installs Chromium and its driver"),
]
SWITCHES = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
)  # fmt: skip
WIDTHS = (360, 800, 1440)


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def single(front: Path) -> Path:
    return made_site(front.parents[1], single=True)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = BROWSER or ""
    for switch in (*SWITCHES, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def address(front: Path) -> Iterator[str]:
    """Of a server on this machine that shows the site's folder."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=front.parent)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def screen(browser: Any, width: int, *, dark: bool = False, scripts: bool = True) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})


def requests(browser: Any) -> list[str]:
    """Addresses that were asked for since the last call."""
    import json

    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    return [url for url in sent if not url.startswith("data:")]


def open_page(browser: Any, url: str) -> None:
    """Open a page that must ask for nothing but itself and say nothing on the console."""
    requests(browser)
    browser.get_log("browser")
    browser.get(url)
    asked = [found for found in requests(browser) if found.partition("#")[0] != url.partition("#")[0]]
    assert [found for found in asked if not found.startswith("chrome")] == []
    assert browser.get_log("browser") == []


def pages(front: Path) -> list[str]:
    return sorted(str(path.relative_to(front.parent)) for path in front.parent.rglob("*.html"))


def rows(browser: Any) -> list[str]:
    return browser.execute_script(
        "return [...document.querySelectorAll('table.all tbody tr')].filter(r => r.offsetParent).map(r => r.dataset.id)"
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_open_from_a_folder(browser: Any, front: Path, single: Path, width: int) -> None:
    for path in [*(front.parent / name for name in pages(front)), single]:
        for dark in (False, True):
            screen(browser, width, dark=dark)
            open_page(browser, path.as_uri())
            wide = browser.execute_script("return document.documentElement.scrollWidth")
            assert wide <= width, path
            boxes = browser.execute_script(
                "return [...document.querySelectorAll('math')].filter(m => m.checkVisibility()).map(m => "
                "{const b = m.getBoundingClientRect(); return b.width * b.height})"
            )
            assert all(box > 0 for box in boxes), path
            assert not browser.execute_script("return document.querySelector('[onerror], img, iframe')")


@pytest.mark.parametrize("key", ["A", "B"])
def test_what_to_correct_is_two_screens_even_if_all_repairs_come_out(browser: Any, tmp_path: Path, key: str) -> None:
    """Folded, at 1440 x 900; unfolded every repair is there."""
    page = tmp_path / "page.html"
    page.write_text(repairs_page(key), encoding="utf-8")
    screen(browser, 1440)
    open_page(browser, page.as_uri())
    tall = "return document.documentElement.scrollHeight"
    folded = browser.execute_script(tall)
    assert folded <= 2 * 900
    browser.execute_script("document.querySelectorAll('details').forEach(d => {d.open = true})")
    assert browser.execute_script(tall) > 2 * folded


def repairs_page(key: str) -> str:
    """The page of a paper all of whose repairs have come out."""
    from checks.evidence.headline import ProofSteps, Readings
    from checks.records.preset import Preset
    from checks.report.repair_forms import shown
    from checks.report.site.model import ClaimPage, PaperPart, Provenance, Site
    from checks.report.site.pages import Renderer
    from tests.checks.report.test_repairs_page import worst_case

    def page(mending: Any) -> ClaimPage:
        claim, headline = mending.claim, mending.headline
        said = (claim.id, key, claim.source.place, claim.kind.value, claim.statement, "", "", "", None, ())
        found = (headline.verdict, "", "", (), Readings.ONE, ProofSteps())
        return ClaimPage(*said, *found, mending=shown(mending))

    paper = PaperPart(key, "A title of some length", (), 2020, "", tuple(map(page, worst_case(key))), "")
    return Renderer(Site((paper,), Provenance(Preset.QUICK, "store", "digest"))).repairs(paper)


def test_pages_open_from_a_server(browser: Any, front: Path, address: str) -> None:
    screen(browser, 1200)
    for name in pages(front):
        open_page(browser, f"{address}/{name}")


def test_formulas_are_typeset(browser: Any, front: Path) -> None:
    screen(browser, 1200)
    open_page(browser, (front.parent / "claims/toy.later.html").as_uri())
    heights = browser.execute_script(
        "const f = document.querySelector('.value mfrac');"
        "return [f, ...f.children].map(e => e.getBoundingClientRect().height)"
    )
    assert heights[0] > max(heights[1:]) > 0  # a fraction is higher than what stands above its line


def test_filters_search_and_sorting(browser: Any, front: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    screen(browser, 1200)
    open_page(browser, front.as_uri())
    everything = rows(browser)
    assert len(everything) == 4
    search = browser.find_element(By.NAME, "search")
    search.send_keys("nobody MEASURED")
    assert rows(browser) == ["toy.later"]
    assert browser.find_element(By.CLASS_NAME, "shown").text == "1 of 4 shown"
    browser.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    assert rows(browser) == everything
    search.send_keys("author 2026")  # of the paper
    assert rows(browser) == everything
    search.send_keys(" nobody")
    assert rows(browser) == ["toy.later"]
    browser.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    browser.find_element(By.CSS_SELECTOR, "select[name=kind]").send_keys("tight")
    assert rows(browser) == ["toy.mean"]
    browser.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    browser.find_element(By.CSS_SELECTOR, "a[data-verdict='not measured']").click()
    assert rows(browser) == ["toy.later"]
    browser.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    head = browser.find_element(By.CSS_SELECTOR, "th[data-sort=id] button")
    head.send_keys(Keys.ENTER)  # by keyboard alone
    assert rows(browser) == ["toy.mean", "toy.step", "toy.bad", "toy.later"]
    head.send_keys(Keys.ENTER)
    assert rows(browser) == ["toy.later", "toy.bad", "toy.step", "toy.mean"]


def test_a_picture_is_explored_by_keyboard(browser: Any, front: Path) -> None:
    """Without eval and without a network: zoom, other axes, what a mark stands for, and back to what was drawn."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    if not (front.parent / "vega.js").exists():
        pytest.skip("vl-convert-python is not installed")
    screen(browser, 1200)
    open_page(browser, (front.parent / "claims/toy.mean.html").as_uri())
    control = browser.find_element(By.CSS_SELECTOR, ".deciding .tools button")

    def ticks() -> list[str]:
        return browser.execute_script(
            "return [...document.querySelectorAll('.deciding .vega .role-axis-label text')].map(t => t.textContent)"
        )

    def after(before: list[str]) -> list[str]:
        return WebDriverWait(browser, PATIENCE_SECONDS).until(lambda _: (now := ticks()) != before and now)

    control.send_keys(Keys.ENTER)
    drawn = after([])
    assert not browser.find_element(By.CSS_SELECTOR, ".deciding .plain-scroll").is_displayed()
    said = browser.execute_script(
        "return [...document.querySelectorAll('.deciding .vega [aria-roledescription=point]')].map(e => e.ariaLabel)"
    )
    assert any("run 0" in words for words in said)
    browser.find_element(By.CSS_SELECTOR, ".deciding .vega").send_keys("+")
    zoomed = after(drawn)
    browser.find_element(By.CSS_SELECTOR, "input[data-axis=y]").send_keys(Keys.SPACE)
    after(zoomed)
    titles = "return [...document.querySelectorAll('.deciding .vega .role-axis-title text')].map(t => t.textContent)"
    upright = browser.execute_script(titles)
    browser.find_element(By.CSS_SELECTOR, ".deciding input[data-turn]").send_keys(Keys.SPACE)
    WebDriverWait(browser, PATIENCE_SECONDS).until(lambda it: it.execute_script(titles) == upright[::-1])
    browser.find_element(By.XPATH, "//figure[@class='deciding']//button[text()='Reset']").send_keys(Keys.ENTER)
    WebDriverWait(browser, PATIENCE_SECONDS).until(lambda _: ticks() == drawn)
    control.send_keys(Keys.SPACE)
    assert browser.find_element(By.CSS_SELECTOR, ".deciding .plain-scroll").is_displayed()
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_axe_finds_nothing_serious_in_what_a_pointer_learns(browser: Any, front: Path) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    if not (front.parent / "vega.js").exists():
        pytest.skip("vl-convert-python is not installed")
    screen(browser, 1200)
    open_page(browser, (front.parent / "claims/toy.mean.html").as_uri())
    browser.find_element(By.CSS_SELECTOR, ".deciding .tools button").send_keys(Keys.ENTER)
    points = ".deciding .vega [aria-roledescription=point]"
    wait = WebDriverWait(browser, PATIENCE_SECONDS)
    ActionChains(browser).move_to_element(wait.until(lambda it: it.find_elements(By.CSS_SELECTOR, points))[0]).perform()
    wait.until(lambda it: it.find_elements(By.CSS_SELECTOR, "#vg-tooltip-element.visible td.key"))
    assert serious(browser) == []


def serious(browser: Any) -> list[Any]:
    """What axe finds on the page as it is, that is serious or critical."""
    browser.set_script_timeout(60)
    browser.execute_script((Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8"))
    found = browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document).then(r => done(r.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.html)])))"
    )
    return [one for one in found if one[0] in ("serious", "critical")]


def test_filters_are_in_the_address_and_a_link_opens_its_fold(browser: Any, front: Path) -> None:
    from selenium.webdriver.common.by import By

    screen(browser, 1200)
    open_page(browser, front.as_uri())
    browser.find_element(By.NAME, "search").send_keys("Theorem 2")
    assert rows(browser) == ["toy.later"]
    address = browser.current_url
    assert address.endswith("#?search=Theorem%202")
    open_page(browser, "about:blank")
    browser.get(address)
    assert rows(browser) == ["toy.later"]
    browser.get((front.parent / "claims/toy.mean.html").as_uri() + "#protocol")
    assert browser.find_element(By.ID, "protocol").is_displayed()
    assert not browser.find_element(By.ID, "hypotheses").is_displayed()


def test_only_a_fold_that_a_reader_opens_is_in_the_address(browser: Any, front: Path) -> None:
    """One that is open from the start was, on a slow machine, and the page began there and not at its headline."""
    from selenium.webdriver.common.by import By

    page = (front.parent / "claims/toy.mean.html").as_uri()
    screen(browser, 1200)
    open_page(browser, page)
    toggled = (
        "const d = document.querySelector('details.fold[open]'); d.dispatchEvent(new Event('toggle')); return d.open"
    )
    assert browser.execute_script(toggled)
    assert browser.current_url == page
    browser.find_element(By.XPATH, "//details[.//*[@id='protocol']]/summary").click()
    assert browser.current_url == f"{page}#protocol"


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (375, 812)])
def test_what_decides_is_on_the_first_screen(browser: Any, front: Path, width: int, height: int) -> None:
    screen(browser, width)
    open_page(browser, (front.parent / "claims/toy.mean.html").as_uri())
    ends = browser.execute_script(
        "return ['.headline', '.first .display', '.first .why', '.deciding svg.plot']"
        ".map(s => document.querySelector(s).getBoundingClientRect().bottom)"
    )
    assert max(ends) <= height


def test_nothing_is_lost_without_scripts(browser: Any, front: Path) -> None:
    screen(browser, 1200, scripts=False)
    try:
        browser.get(front.as_uri())
        source = browser.page_source
        browser.get((front.parent / "claims/toy.mean.html").as_uri())
        assert "Explore</button>" not in browser.page_source  # no switch that does nothing
    finally:
        screen(browser, 1200)
    assert source.count("data-id=") == 4
    assert 'class="filters" hidden' in source


def test_details_open_and_hold_data(browser: Any, front: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    screen(browser, 1200)
    open_page(browser, (front.parent / "claims/toy.mean.html").as_uri())
    browser.find_element(By.CSS_SELECTOR, "a[href='#pictures']").send_keys(Keys.ENTER)
    browser.find_element(By.CSS_SELECTOR, ".pictures figure summary").send_keys(Keys.ENTER)
    assert browser.find_element(By.CSS_SELECTOR, "figure table.data").is_displayed()


def test_text_stands_out_from_its_background(browser: Any, front: Path) -> None:
    """4.5 to 1 at least, as the Web Content Accessibility Guidelines ask for (1.4.3)."""
    for dark in (False, True):
        screen(browser, 1200, dark=dark)
        open_page(browser, front.as_uri())
        found = browser.execute_script(
            "const lum = c => {const [r, g, b] = c.match(/[0-9.]+/g).slice(0, 3).map(v => v / 255)"
            ".map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);"
            "return 0.2126 * r + 0.7152 * g + 0.0722 * b};"
            "const back = lum(getComputedStyle(document.body).backgroundColor);"
            "return [...document.querySelectorAll('p, a, th, td, .verdict, .aside, summary')].map(e => {"
            "const l = lum(getComputedStyle(e).color);"
            "return (Math.max(l, back) + 0.05) / (Math.min(l, back) + 0.05)})"
        )
        assert min(found) >= 4.5


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1200])
def test_axe_finds_nothing_serious(browser: Any, front: Path, single: Path, width: int, dark: bool) -> None:
    screen(browser, width, dark=dark)
    for path in [*(front.parent / name for name in pages(front)), single]:
        open_page(browser, path.as_uri())
        browser.execute_script("document.querySelectorAll('details').forEach(d => {d.open = true})")
        assert serious(browser) == [], path
