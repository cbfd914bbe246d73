"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Tenant = Annotated[str, typer.Option(help="Whose documents these are; nobody else's claims ever meet them.")]
Corpus = Annotated[str, typer.Option(help="The name of this set of documents.")]
DataDir = Annotated[
    Path | None,
    typer.Option(help="Folder of the embedded engines. Default: what CLAIMSTREAM_RETRIEVAL__* say, .claimstream."),
]
