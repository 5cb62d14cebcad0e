"""The GPU benchmark in rehearsal: it runs without a GPU, refuses to measure there, and marks who is wrong."""

import pytest

from benchmarks import gpu
from benchmarks.contestants import functional


def test_without_a_gpu_it_refuses(monkeypatch, capsys):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    assert gpu.main([]) == 2
    refusal = capsys.readouterr()
    assert refusal.out == ""
    assert refusal.err.count("\n") == 1
    assert "on a machine without a GPU that torch can use, got 'gpu'" in refusal.err


def test_a_rehearsal_compares_all_and_keeps_nothing(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(gpu, "RESULTS", tmp_path)
    assert gpu.main(["--rehearse"]) == 0
    told = capsys.readouterr().out
    assert "times mean nothing" in told
    assert [line.split(" |")[0] for line in told.splitlines() if line.startswith("| ")] == [
        "| contestant", "| autograd loop", "| torch.func vmap", "| ours",
    ]  # fmt: skip
    assert "disagrees" not in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_contestant_that_computes_something_else_is_marked(monkeypatch, tmp_path):
    def wrong(case, *, trials, device, name="gpu"):
        return functional({**case, "rate": case["rate"] * 1.001}, trials=trials)

    monkeypatch.setattr(gpu, "ours", wrong)
    case = gpu.REHEARSAL.cases[0]
    rows = gpu.compete(case, case.write(tmp_path), gpu.REHEARSAL)
    assert {row["contestant"]: row["agrees"] for row in rows} == {
        "autograd loop": True, "torch.func vmap": True, "ours": False,
    }  # fmt: skip
    assert "**disagrees**" in gpu.table(
        {"device": "", "torch": "", "triton": "", "cases": [{"case": "", "rows": rows}]}
    )
