"""A sealed file: what is written comes back, and whatever is not what the manifest says is refused in one line."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim.store.sealed_file import MANIFEST, read_sealed, write_sealed
from sim.trials.errors import StoreError

NAMES = {"a.txt", "b.txt"}
Contents = dict[str, bytes]


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).write_text(f"{name}\nsecond line\n", encoding="utf-8")
    write_sealed(tmp_path / "sound.zip", {name: tmp_path / name for name in NAMES}, {"archive": 3})
    return tmp_path / "sound.zip"


def contents(path: Path) -> Contents:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(members: Contents, path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def with_manifest(members: Contents, change: Callable[[dict[str, Any]], object]) -> Contents:
    manifest = json.loads(members[MANIFEST])
    change(manifest)
    return {**members, MANIFEST: json.dumps(manifest).encode()}


def test_what_is_written_comes_back(sound: Path) -> None:
    with read_sealed(sound, NAMES) as archive:
        assert archive.names == NAMES
        assert archive.manifest["archive"] == 3
        assert archive.text("a.txt") == "a.txt\nsecond line\n"
        assert [*archive.lines("b.txt")] == ["b.txt\n", "second line\n"]
    with pytest.raises(FileExistsError):
        write_sealed(sound, {}, {})


EDITS: dict[str, tuple[Callable[[Contents], Contents], str]] = {
    "a member is edited": (lambda found: {**found, "a.txt": b"other"}, "a.txt must have the digest"),
    "a member is gone": (
        lambda found: {name: found[name] for name in found if name != "a.txt"},
        "the manifest must name every member, and no other",
    ),
    "a member is not in the manifest": (
        lambda found: with_manifest(found, lambda manifest: manifest["members"].pop("a.txt")),
        "the manifest must name every member, and no other",
    ),
    "a digest is none": (
        lambda found: with_manifest(found, lambda manifest: manifest["members"]["a.txt"].update(sha256="0")),
        "must have the digest of every member",
    ),
    "a digest is gone": (
        lambda found: with_manifest(found, lambda manifest: manifest["members"]["a.txt"].pop("sha256")),
        "must have the digest of every member",
    ),
    "no members": (
        lambda found: with_manifest(found, lambda manifest: manifest.pop("members")),
        "must have the digest of every member",
    ),
    "the manifest is no JSON": (lambda found: {**found, MANIFEST: b"{"}, "must be JSON"),
    "no manifest": (
        lambda found: {name: found[name] for name in found if name != MANIFEST},
        f"an archive must have a {MANIFEST}",
    ),
    "a name that nobody expects": (lambda found: {**found, "c.txt": b""}, "a member must be one of"),
    "a bomb": (lambda found: {**found, "a.txt": bytes(2**25)}, "must not unpack to far more than it is"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_what_was_edited_is_refused(edit: str, sound: Path, tmp_path: Path) -> None:
    change, words = EDITS[edit]
    path = packed(change(contents(sound)), tmp_path / "edited.zip")
    with pytest.raises(StoreError) as refused, read_sealed(path, NAMES):
        pass
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_same_members_packed_anew_are_taken(sound: Path, tmp_path: Path) -> None:
    with read_sealed(packed(contents(sound), tmp_path / "anew.zip"), NAMES) as archive:
        assert archive.names == NAMES


def test_bytes_behind_the_end_or_missing_there_are_refused(sound: Path) -> None:
    whole = sound.read_bytes()
    for content in (whole + b"x", whole[:-1], whole[:10], b""):
        sound.write_bytes(content)
        with pytest.raises(StoreError, match="one that theoremeter wrote"), read_sealed(sound, NAMES):
            pass
