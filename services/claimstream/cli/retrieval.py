"""Retrieval as the command line names it: a data folder, a corpus."""

from pathlib import Path

from claimstream.config.retrieval import EmbeddedSettings, RetrievalSettings
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.errors import UnknownCorpus
from claimstream.ports.stores import Catalogue


def at(settings: RetrievalSettings, data_dir: Path | None) -> RetrievalSettings:
    """The settings with the embedded legs in this folder; unchanged where none is given."""
    if data_dir is None:
        return settings
    here = EmbeddedSettings(data_dir=data_dir)
    legs = {name: here for name in ("dense", "sparse") if isinstance(getattr(settings, name), EmbeddedSettings)}
    return settings.model_copy(update=legs)


def require(catalogue: Catalogue, corpus: CorpusRef) -> None:
    """Raise UnknownCorpus where no generation of this corpus is in service."""
    if catalogue.in_service(corpus) is None:
        known = ", ".join(map(str, catalogue.corpora())) or "none"
        raise UnknownCorpus(
            f"no generation of {corpus} is in service (known: {known}): "
            f"build one with `claimstream index DIR --tenant {corpus.tenant} --corpus {corpus.corpus}`"
        )
