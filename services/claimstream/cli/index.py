"""`claimstream index`: a folder of documents into a new generation of a corpus."""

from pathlib import Path
from typing import Annotated

import typer

from claimstream.cli.options import Corpus, DataDir, Tenant

app = typer.Typer(help="Index a folder of documents.")


@app.command()
def index(
    folder: Annotated[Path, typer.Argument(help="Folder of Markdown, HTML or text documents.")],
    corpus: Corpus,
    tenant: Tenant,
    data_dir: DataDir = None,
) -> None:
    """Split, embed and write all documents below a folder to both legs, and put that generation into service."""
    from claimstream.adapters.documents.folder import FolderReader
    from claimstream.adapters.system.clock import SystemClock
    from claimstream.cli.retrieval import at
    from claimstream.cli.working import working
    from claimstream.config.load import load
    from claimstream.domain.evidence.passage import CorpusRef
    from claimstream.indexer.app import open_indexer
    from claimstream.indexer.build import check_names
    from claimstream.indexer.settings import IndexerSettings
    from claimstream.runtime.engines import open_engines
    from claimstream.runtime.models import open_embedder

    settings = load(IndexerSettings)
    reference = CorpusRef(tenant, corpus)
    check_names(reference)
    engines = open_engines(at(settings.retrieval, data_dir))
    try:
        indexer = open_indexer(open_embedder(settings.models), engines, SystemClock())
        with working(f"indexing {folder}"):
            built = indexer.index_folder(reference, folder, FolderReader())
    finally:
        engines.close()
    for skipped in built.skipped:
        typer.echo(f"skipped {skipped.doc_id}: {skipped.reason}", err=True)
    made = built.manifest
    typer.echo(
        f"{made.corpus}@{made.generation} is in service: {made.documents} documents, {made.passages} passages"
    )
