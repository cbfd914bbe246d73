"""How many threads a session may use: what the scheduler and the cgroup allow, not what the host has."""

import math
import os
from pathlib import Path

CPU_MAX = Path("/sys/fs/cgroup/cpu.max")
CPU_QUOTA_V1 = Path("/sys/fs/cgroup/cpu/cpu.cfs_quota_us")
CPU_PERIOD_V1 = Path("/sys/fs/cgroup/cpu/cpu.cfs_period_us")


def allowed_cpus() -> int:
    """Whole CPUs of this process, at least 1: affinity, bounded by the cgroup's quota rounded up."""
    affinity = len(os.sched_getaffinity(0))
    quota = _quota()
    return max(1, min(affinity, math.ceil(quota)) if quota else affinity)


def _quota() -> float | None:
    if CPU_MAX.is_file():
        return parse_cpu_max(CPU_MAX.read_text())
    if CPU_QUOTA_V1.is_file() and CPU_PERIOD_V1.is_file():
        return parse_cpu_max(f"{CPU_QUOTA_V1.read_text().strip()} {CPU_PERIOD_V1.read_text().strip()}")
    return None


def parse_cpu_max(text: str) -> float | None:
    """CPUs of a cgroup quota written as `quota period` in microseconds; None for `max` or -1, no limit."""
    quota, _, period = text.strip().partition(" ")
    if quota in ("max", "-1", "") or not period:
        return None
    return int(quota) / int(period)
