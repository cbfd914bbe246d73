"""How many threads: what the cgroup's files say."""

import os

import pytest

from claimstream.adapters.onnx import threads
from claimstream.adapters.onnx.threads import allowed_cpus, parse_cpu_max


@pytest.mark.parametrize(
    ("text", "cpus"),
    [
        ("max 100000\n", None),
        ("200000 100000\n", 2.0),
        ("50000 100000", 0.5),
        ("150000 100000\n", 1.5),
        ("-1 100000", None),
        ("100000", None),
        ("", None),
    ],
)
def test_a_quota_in_cpus(text: str, cpus: float | None) -> None:
    assert parse_cpu_max(text) == cpus


@pytest.mark.parametrize(("text", "wanted"), [("50000 100000", 1), ("100000 100000", 1), ("max 100000", None)])
def test_at_least_one_and_no_more_than_the_quota(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch, text: str, wanted: int | None
) -> None:
    file = threads.Path(tmp_path) / "cpu.max"
    file.write_text(text)
    monkeypatch.setattr(threads, "CPU_MAX", file)
    assert allowed_cpus() == (wanted or len(os.sched_getaffinity(0)))


def test_a_quota_above_the_affinity_changes_nothing(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = threads.Path(tmp_path) / "cpu.max"
    file.write_text("99900000 100000")
    monkeypatch.setattr(threads, "CPU_MAX", file)
    assert allowed_cpus() == len(os.sched_getaffinity(0))


def test_the_older_cgroup_is_read_where_the_newer_is_not_there(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = threads.Path(tmp_path)
    (folder / "quota").write_text("100000\n")
    (folder / "period").write_text("100000\n")
    monkeypatch.setattr(threads, "CPU_MAX", folder / "absent")
    monkeypatch.setattr(threads, "CPU_QUOTA_V1", folder / "quota")
    monkeypatch.setattr(threads, "CPU_PERIOD_V1", folder / "period")
    assert allowed_cpus() == 1
