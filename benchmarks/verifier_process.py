"""A verifier in a process of its own: judges everything once and tells its peak memory and its first verdict.

python benchmarks/verifier_process.py INDEX_FOLDER [ANSWERS]     (settings from the environment, as always)
"""

import json
import resource
import sys
import time
from pathlib import Path


def main(data: Path, number: int | None) -> None:
    """Print one JSON object; times in seconds since the interpreter began to run this."""
    begun = time.perf_counter()
    # Imported here: loading the libraries is part of the time to the first verdict.
    from corpus import answers, embedded, micro_batches, open_index  # noqa: PLC0415

    from claimstream.adapters.system.clock import SystemClock  # noqa: PLC0415
    from claimstream.ports.off import NullMetrics  # noqa: PLC0415
    from claimstream.verifier.app import open_verifier  # noqa: PLC0415
    from claimstream.verifier.settings import VerifierSettings  # noqa: PLC0415

    settings = VerifierSettings(retrieval=embedded(data))
    engines = open_index(data)
    verifier = open_verifier(settings, engines, SystemClock(), NullMetrics())
    ready = time.perf_counter() - begun
    responses = answers(number)
    verifier.verify(responses[:1])
    first = time.perf_counter() - begun
    for batch in micro_batches(responses, settings.loop.batch_records):
        verifier.verify(batch)
    engines.close()
    print(json.dumps({"ready": ready, "first": first, "peak_bytes": peak_bytes()}))


def peak_bytes() -> int:
    """The most resident memory this program ever had.

    On Linux from /proc: `ru_maxrss` there also counts what the parent had when it started us.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None)
