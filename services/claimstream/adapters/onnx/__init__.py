"""ONNX Runtime: model folders, checked sessions, the embedder and the entailment scorer.

Its official builds send usage data to their maker unless this variable is there before the library is loaded
(Privacy.md in its package): nothing may leave the machine that nobody asked for. A value that is set already stays.
"""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
