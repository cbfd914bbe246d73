"""An ONNX Runtime session that runs where it was asked to, checked after it is made."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from claimstream.adapters.onnx.threads import allowed_cpus
from claimstream.domain.judging.batching import Shapes
from claimstream.errors import ConfigurationError, ModelRefused, ModelUnavailable

PROVIDERS = {
    "tensorrt": "TensorrtExecutionProvider",
    "cuda": "CUDAExecutionProvider",
    "cpu": "CPUExecutionProvider",
}
MATRIX_PRODUCTS = ("MatMul", "Gemm", "Attention", "QAttention", "TRTKernel", "FusedMatMul")

CPU_TOKEN_BUDGET = 512
CPU_LENGTHS = (*range(16, 257, 16), 320, 384, 448, 512)
"""Finer than a GPU's: a shape costs nothing here to have, and padding costs as much as text."""

Arrays = Mapping[str, NDArray[np.int64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOptions:
    """Where and with how much a session runs; providers by short name, in the order they are tried."""

    providers: tuple[str, ...] = ("tensorrt", "cuda", "cpu")
    threads: int | None = None
    """None: what the affinity and the cgroup allow."""
    engine_cache: Path | None = None
    """Where TensorRT keeps its built engines."""


class Session:
    """One model's session; `provider` is the short name of the one that really runs it.

    On a CPU several threads run a batch each, on one core each: matrices of this size gain less from being split
    over cores than batches do from running side by side (1.2 times on two cores), and a thread that waits for work
    does not spin beside the parser, the engines and the Kafka client (1.5 times on a busy machine).
    """

    def __init__(self, model: Path, options: SessionOptions, *, profile: bool = False) -> None:
        wanted = available(options.providers)
        threads = options.threads or allowed_cpus()
        self._on_cpu = wanted[0] == "cpu"
        self._workers = threads if self._on_cpu else 1
        self._profiles = tempfile.TemporaryDirectory(prefix="claimstream-profile-") if profile else None
        try:
            self._session = ort.InferenceSession(
                str(model),
                sess_options=self._session_options(1 if self._workers > 1 else threads),
                providers=[(PROVIDERS[name], provider_options(name, options)) for name in wanted],
            )
        except Exception as error:
            raise ModelRefused(f"{model} does not load in ONNX Runtime {ort.__version__}: {error}") from error
        self.provider = _short(self._session.get_providers()[0])
        self.inputs = tuple(i.name for i in self._session.get_inputs())
        self.outputs = tuple(o.name for o in self._session.get_outputs())
        _check_provider(wanted, self.provider)
        self._pool = ThreadPoolExecutor(self._workers, "onnx") if self._workers > 1 else None

    def _session_options(self, threads: int) -> ort.SessionOptions:
        made = ort.SessionOptions()
        made.intra_op_num_threads = threads
        made.inter_op_num_threads = 1
        made.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if self._on_cpu:
            # The further fusions cost 2 to 9 % on these graphs: fused CPU kernels are less tuned than plain ones.
            made.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
        made.log_severity_level = 3  # errors: provider fall-backs are reported by our own check
        if self._profiles is not None:
            made.enable_profiling = True
            made.profile_file_prefix = str(Path(self._profiles.name) / "session")
        return made

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """The first output for these inputs; inputs that the graph does not know are left out."""
        try:
            (output,) = self._session.run(
                [self.outputs[0]], {name: inputs[name] for name in self.inputs if name in inputs}
            )
        except Exception as error:
            raise ModelUnavailable(f"the {self.provider} session failed: {error}") from error
        return np.asarray(output, dtype=np.float32)

    def run_all(self, batches: Sequence[Arrays]) -> list[NDArray[np.float32]]:
        """The first output for each of these inputs, in order."""
        if self._pool is None or len(batches) < 2:
            return [self.run(inputs) for inputs in batches]
        return list(self._pool.map(self.run, batches))

    def matrix_product_providers(self) -> frozenset[str]:
        """Where the matrix products of the runs so far really ran; ends profiling. Needs `profile=True`."""
        if self._profiles is None:
            raise ConfigurationError("the session was made without profiling")
        events = json.loads(Path(self._session.end_profiling()).read_text())
        self._profiles.cleanup()
        return frozenset(_short(name) for name in _matrix_providers(events))


def available(providers: Sequence[str]) -> list[str]:
    """Those providers that this build of ONNX Runtime has, in the order asked. Raises ConfigurationError."""
    unknown = [name for name in providers if name not in PROVIDERS]
    if unknown:
        raise ConfigurationError(f"unknown providers {unknown}: use some of {list(PROVIDERS)}")
    built_in = set(ort.get_available_providers())
    found = [name for name in providers if PROVIDERS[name] in built_in]
    if not found:
        raise ConfigurationError(
            f"none of the providers {list(providers)} is in this ONNX Runtime ({sorted(built_in)}): "
            "install the extra `gpu`, or add `cpu` to the list"
        )
    return found


def check_placement(model: Path, options: SessionOptions) -> None:
    """Profile one run in a session of its own: the matrix products must run on the provider that the session names.

    Raises ConfigurationError: a provider that is listed and yet leaves the work to another one is slow in silence.
    """
    session = Session(model, options, profile=True)
    ones = np.ones((1, 32), dtype=np.int64)
    session.run(dict.fromkeys(session.inputs, ones))
    found = session.matrix_product_providers()
    if found != {session.provider}:
        raise ConfigurationError(
            f"{model}: the session names {session.provider}, its matrix products run on {sorted(found) or 'none'}: "
            f"the provider does not take this graph; put another one first in the list {list(options.providers)}"
        )


def shapes_for(provider: str) -> Shapes:
    """Small batches where several run side by side and share the cache, large ones where one fills a GPU."""
    return Shapes(lengths=CPU_LENGTHS, token_budget=CPU_TOKEN_BUDGET) if provider == "cpu" else Shapes()


def provider_options(name: str, options: SessionOptions) -> dict[str, str]:
    """The options of one provider."""
    if name == "cpu":
        return {}
    if name == "cuda":
        return {"arena_extend_strategy": "kSameAsRequested"}
    tensorrt = {"trt_fp16_enable": "1"}
    if options.engine_cache is not None:
        cache = str(options.engine_cache)
        tensorrt |= {"trt_engine_cache_enable": "1", "trt_engine_cache_path": cache}
    return tensorrt


def _check_provider(wanted: Sequence[str], got: str) -> None:
    """A session that silently fell back is only acceptable where the fall-back was listed."""
    if got not in wanted:
        raise ConfigurationError(
            f"asked for {list(wanted)}, the session runs on {got}: the driver or library of the first is missing; "
            "repair it, or add `cpu` to the providers to accept the fall-back"
        )


def _short(provider: str) -> str:
    return next((name for name, full in PROVIDERS.items() if full == provider), provider)


def _matrix_providers(events: Sequence[Mapping[str, object]]) -> set[str]:
    found = set()
    for event in events:
        args = event.get("args")
        if isinstance(args, dict) and any(op in str(args.get("op_name", "")) for op in MATRIX_PRODUCTS):
            found.add(str(args.get("provider", "")))
    return found - {""}
