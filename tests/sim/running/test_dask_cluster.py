"""Sweeps on a dask cluster: worker processes of their own, one killed in mid-sweep, the same results bit for bit."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import threading
from concurrent.futures import wait
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import dask
import distributed
import pytest

from sim.running.dask_cluster import ClusterExecutor, may_be_a_neighbour, scheduler_address
from sim.running.executors import find
from sim.running.run import run
from sim.store.store import Store
from sim.trials.validation import InvalidParameter
from tests.patience import PATIENCE_SECONDS

HERE = Path(__file__).resolve().parent


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The no-op simulator of the kill tests, in an empty folder, importable by worker processes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.setenv("PYTHONPATH", f"{HERE}{os.pathsep}{HERE.parents[2]}")
    import survival_toy

    return survival_toy


def content(path: str, specs) -> dict:
    with Store(path, read_only=True) as store:
        return {name: (t.result.outcome, dict(t.result.observables)) for name, t in store.get(specs).items()}


def test_a_sweep_on_a_local_cluster_survives_a_killed_worker(toy) -> None:
    """Three workers, one of which dies in the middle of a trial: nothing lost, nothing else, the serial run's bits."""
    specs = toy.specs(24)
    with Store("serial.sqlite") as store:
        assert run(specs, store, executor="serial").measured == 24
    toy.LOG.unlink()
    Path("kill_worker").write_text("9")
    with Store("dask.sqlite") as store:
        report = run(specs, store, executor="dask", workers=3)
    assert (report.measured, report.failures) == (24, ())
    assert content("dask.sqlite", specs) == content("serial.sqlite", specs)
    ran = toy.executed()
    assert {size for size, _ in ran} == set(range(24))
    assert sum(size == 9 for size, _ in ran) >= 2
    assert os.getpid() not in {process for _, process in ran}
    assert len({process for _, process in ran}) >= 2
    assert not any(toy.is_alive(process) for _, process in ran)


def test_a_trial_that_always_kills_its_worker_ends_as_failed(toy) -> None:
    specs = toy.specs(4)
    Path("kill_worker").write_text("2 always")
    with Store("dask.sqlite") as store:
        report = run(specs, store, executor="dask", workers=2)
        assert report.measured == 3
        (failure,) = report.failures
        assert "'size': 2" in failure
        assert store.missing(specs) == []


def test_a_running_scheduler_is_joined_and_left_running(toy) -> None:
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as cluster:
        host, port = cluster.scheduler_address.removeprefix("tcp://").split(":")
        specs = toy.specs(6)
        with Store("joined.sqlite") as store:
            assert run(specs, store, executor=f"dask://{host}:{port}").measured == 6
        assert cluster.scheduler.status.name == "running"
        with find(f"dask://{host}:{port}").open() as executor:
            (done, _) = wait([executor.submit(abs, -7)])
            assert [future.result() for future in done] == [7]


@pytest.mark.parametrize(
    "name",
    [
        "dask://",
        "dask://host",
        "dask:host:1",
        "dask://host:99999",
        "dask+tls://host",
        "dask://host:" + "9" * 5000,
        "slurm",
    ],
)
def test_a_wrong_name_is_one_clear_line(name: str) -> None:
    with pytest.raises(
        InvalidParameter, match=r"executor must be process, serial, threads, dask or dask://host:port or dask\+tls"
    ):
        find(name)


def test_a_scheduler_that_does_not_answer_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.running.dask_cluster.CONNECT_SECONDS", 0.5)
    with (
        pytest.raises(InvalidParameter, match="executor must name a dask scheduler that answers"),
        find("dask://127.0.0.1:9").open(),
    ):
        pass
    assert scheduler_address("dask://node-7:8786") == "tcp://node-7:8786"


def hosts_of(processes: set[int]) -> set[str]:
    """Addresses at which processes listen for TCP, as the kernel writes them."""
    held = set()
    for process in processes:
        for entry in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                held.add(entry.readlink().name)
    lines = [
        line.split() for path in ("tcp", "tcp6") for line in Path(f"/proc/net/{path}").read_text().splitlines()[1:]
    ]
    return {line[1].split(":")[0] for line in lines if line[3] == "0A" and f"socket:[{line[9]}]" in held}


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads the kernel's table of sockets")
def test_a_cluster_of_ours_listens_to_this_machine_alone(toy) -> None:
    with find("dask", workers=1).open() as executor:
        worker = executor.submit(os.getpid).result()
        nanny = int(Path(f"/proc/{worker}/stat").read_text().rsplit(")", 1)[1].split()[1])
        assert hosts_of({os.getpid(), nanny, worker}) == {"0100007F"}


def signed(folder: Path) -> dict[str, str]:
    """dask's configuration for certificates that an authority of our own has signed."""

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *new, "-subj", "/CN=ours", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", *new, "-subj", "/CN=node", "-keyout", "node.key", "-out", "node.csr")
    openssl("x509", "-req", "-in", "node.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-out", "node.pem")  # fmt: skip
    files = {f"distributed.comm.tls.{role}.{kind}": str(folder / f"node.{'pem' if kind == 'cert' else 'key'}")
             for role in ("scheduler", "worker", "client") for kind in ("cert", "key")}  # fmt: skip
    return {"distributed.comm.tls.ca-file": str(folder / "ca.pem"), **files}


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates with openssl")
def test_a_scheduler_with_certificates_is_joined_by_those_who_have_one(toy, tmp_path: Path) -> None:
    with (
        dask.config.set(signed(tmp_path)),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, protocol="tls://", security=distributed.Security(),
            host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=50,
        ) as cluster,
    ):  # fmt: skip
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        with find(f"dask+{address}").open() as executor:
            assert executor.submit(abs, -7).result() == 7
        with (
            dask.config.set({"distributed.comm.tls.client.cert": None}),
            pytest.raises(InvalidParameter, match=r"executor must have distributed\.comm\.tls\.client\.cert set"),
            find(f"dask+{address}").open(),
        ):
            pass
    assert scheduler_address("dask+tls://node-7:8786") == "tls://node-7:8786"


def test_a_result_lost_with_its_worker_ends_its_future() -> None:
    """Dask raises while it fetches what it had called finished; a caller must hear of it, not wait."""

    class Client:
        loop = SimpleNamespace(asyncio_loop=asyncio.new_event_loop())

        def submit(self, function, /, *args, pure: bool):
            return self.fetch(function(*args))

        async def fetch(self, told: str):
            raise distributed.KilledWorker(told, None, 0)

    client = Client()
    server = threading.Thread(target=client.loop.asyncio_loop.run_forever)
    server.start()
    try:
        error = ClusterExecutor(client).submit(str, "call").exception(timeout=PATIENCE_SECONDS)
    finally:
        client.loop.asyncio_loop.call_soon_threadsafe(client.loop.asyncio_loop.stop)
        server.join()
        client.loop.asyncio_loop.close()
    assert may_be_a_neighbour(error)
    assert not may_be_a_neighbour(ValueError("its own"))
