"""What the figures were measured on, and how busy it was."""

import os
import platform
from pathlib import Path

from claimstream.adapters.onnx.threads import allowed_cpus


def described() -> str:
    """Processor, CPUs that this process may use, Python."""
    return f"{_processor()}, {allowed_cpus()} CPUs for us, Python {platform.python_version()}"


def load() -> float:
    """Runnable processes over the last minute, ours among them."""
    return os.getloadavg()[0]


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
