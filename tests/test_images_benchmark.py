"""The benchmark of training on images in rehearsal: files of CIFAR's format in, accuracies and rates out."""

import torch

from benchmarks import images


def test_a_rehearsal_trains_from_files_and_keeps_nothing(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(images, "RESULTS", tmp_path)
    assert images.main(["--rehearse"]) == 0
    told = capsys.readouterr().out
    assert "times mean nothing" in told
    assert [line.split(" |")[0] for line in told.splitlines() if line.startswith("| ")] == [
        "| training", "| ours", "| plain loop",
    ]  # fmt: skip
    assert list(tmp_path.iterdir()) == []


def test_without_a_gpu_it_refuses(monkeypatch, capsys):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert images.main([]) == 2
    refusal = capsys.readouterr()
    assert refusal.out == ""
    assert refusal.err.count("\n") == 1
    assert "THEOREMETER_DEVICE must be cpu on a machine without a GPU" in refusal.err
