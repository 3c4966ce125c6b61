"""Session files as bytes: places found again, plain or compressed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memex_core.harness.opening import Bytes, opened
from memex_core.model.errors import NotFound, Unreachable

DATA = b"".join(b"line %d of the log\n" % n for n in range(5_000))


@pytest.fixture(params=["plain", "packed"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    plain = tmp_path / "log.jsonl"
    plain.write_bytes(DATA)
    if request.param == "plain":
        return plain
    if shutil.which("zstd") is None:
        pytest.skip("no zstd program")
    subprocess.run(["zstd", "-q", "--rm", str(plain)], check=True)
    return tmp_path / "log.jsonl.zst"


@pytest.mark.parametrize("at", [0, 10, 1024, 70_000, len(DATA)])
def test_a_place_is_known_again_by_what_stands_before_it(path: Path, at: int) -> None:
    with opened(str(path)) as raw:
        file = Bytes(raw)
        read = b""
        while len(read) < at:
            read += file.read(min(4096, at - len(read)))
        tail = file.before(at)
        rest = file.read(64)
    assert (read, rest) == (DATA[:at], DATA[at : at + 64])
    with opened(str(path)) as raw:
        file = Bytes(raw)
        assert file.go_to(at, tail)
        assert file.read(64) == rest
    with opened(str(path)) as raw:
        assert Bytes(raw).go_to(at, "another") is False
    with opened(str(path)) as raw:
        assert Bytes(raw).go_to(len(DATA) + 1, tail) is False


def test_a_file_that_is_not_there_and_one_that_nothing_unpacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotFound), opened(str(tmp_path / "none.jsonl")):
        pass
    monkeypatch.setattr(shutil, "which", lambda _: None)
    for module in ("zstandard", "compression"):
        monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "a.jsonl.zst").write_bytes(b"(\xb5/\xfd")
    with (
        pytest.raises(Unreachable, match="nothing here unpacks it") as caught,
        opened(str(tmp_path / "a.jsonl.zst")),
    ):
        pass
    assert "zstandard" in caught.value.hint
