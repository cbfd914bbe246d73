"""`claimstream topics`: the topics of the contract."""

import typer

app = typer.Typer(help="List or create the topics of the contract.", no_args_is_help=True)


@app.command(name="list")
def list_topics() -> None:
    """Name, key, partitions and meaning of every topic; asks no broker."""
    from claimstream.contracts.topics import TOPICS

    for topic in TOPICS:
        shape = f"{topic.name:<20}{topic.direction:<4}{topic.partitions:>3} partitions, key {topic.key}"
        typer.echo(f"{shape}: {topic.meaning}")


@app.command()
def create() -> None:
    """Make those that the broker lacks, with retention and size limits."""
    from claimstream.adapters.kafka.admin import KafkaAdmin
    from claimstream.config.load import load
    from claimstream.contracts.topics import TOPICS
    from claimstream.verifier.settings import VerifierSettings

    made = KafkaAdmin(load(VerifierSettings).kafka).create(TOPICS)
    typer.echo(f"made: {', '.join(made)}" if made else "all topics are there")
