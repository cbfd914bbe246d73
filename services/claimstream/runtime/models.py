"""Models from settings: a packaged one by name, any other by its folder."""

from pathlib import Path

import claimstream
from claimstream.adapters.onnx.embedder import OnnxEmbedder
from claimstream.adapters.onnx.scorer import OnnxScorer
from claimstream.adapters.onnx.session import SessionOptions
from claimstream.config.models import ModelSettings
from claimstream.domain.judging.batching import Shapes
from claimstream.errors import ModelRefused

PACKAGED = Path(claimstream.__file__).parent / "models"


def model_folder(name: str) -> Path:
    """The folder of a packaged model, or the folder that the name is. Raises ModelRefused."""
    for folder in (PACKAGED / name, Path(name).expanduser()):
        if folder.is_dir():
            return folder
    packaged = sorted(folder.name for folder in PACKAGED.iterdir() if folder.is_dir())
    raise ModelRefused(f"there is no model {name!r}: name one of {packaged}, or the path of an exported folder")


def open_embedder(settings: ModelSettings) -> OnnxEmbedder:
    """The sentence encoder of the settings."""
    return OnnxEmbedder(model_folder(settings.embedder), session_options(settings), _shapes(settings))


def open_scorer(settings: ModelSettings) -> OnnxScorer:
    """The entailment scorer of the settings."""
    return OnnxScorer(model_folder(settings.nli), session_options(settings), _shapes(settings))


def session_options(settings: ModelSettings) -> SessionOptions:
    """Providers, threads and engine cache of the settings."""
    return SessionOptions(
        providers=settings.providers, threads=settings.threads, engine_cache=settings.engine_cache
    )


def _shapes(settings: ModelSettings) -> Shapes | None:
    """None: those that suit the provider which the session gets."""
    return Shapes(token_budget=settings.token_budget) if settings.token_budget is not None else None
