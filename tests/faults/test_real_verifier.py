"""Must hold: 500 responses, two real verifiers on real Kafka and OpenSearch, twelve kills, the broker restarted."""

import json
import shutil
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from brokers import CLASSIC, KafkaCluster, committed, ends, read, real_cluster
from claimstream.adapters.documents.folder import FolderReader
from claimstream.adapters.kafka.admin import KafkaAdmin
from claimstream.adapters.stack.kafka import KafkaServer
from claimstream.adapters.system.clock import SystemClock
from claimstream.config.kafka import KafkaSettings
from claimstream.config.models import ModelSettings
from claimstream.config.retrieval import RetrievalSettings
from claimstream.contracts.messages import ClaimVerdictV1, ResponseVerdictV1
from claimstream.contracts.topics import CLAIM_VERDICTS, RESPONSE_VERDICTS, RESPONSES, RESPONSES_DLQ, TOPICS
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.indexer.app import open_indexer
from claimstream.runtime.engines import open_engines
from claimstream.runtime.models import open_embedder
from claimstream.verifier.settings import VerifierSettings
from loop import response_bytes
from mortals import Member, plan, until

PROGRAM = Path(__file__).with_name("verifier_program.py")
ANSWERS = 500
M = TypeVar("M")
POLICY = "# Refunds\n\nRefunds are available within 30 days of purchase.\n"


@pytest.mark.kafka
@pytest.mark.opensearch
@pytest.mark.timeout(600)
def test_every_answer_is_judged_once_by_the_real_verifier(
    kafka_server: KafkaServer, opensearch_url: str, unique: Callable[[str], str], tmp_path: Path
) -> None:
    group, corpus = unique("verifiers"), unique("help")
    settings = [member_settings(kafka_server.address, opensearch_url, group, tmp_path / f"m{n}") for n in range(2)]
    index(corpus, settings[0]["retrieval"], tmp_path)
    shutil.copytree(tmp_path / "m0" / "data", tmp_path / "m1" / "data")
    KafkaAdmin(KafkaSettings(bootstrap=kafka_server.address)).create(TOPICS, replication=1)
    ids = produce(real_cluster(kafka_server.address), corpus)

    logs = [(tmp_path / f"m{n}.log").open("wb") for n in range(2)]
    commands = [[sys.executable, str(PROGRAM), "--settings", json.dumps(one)] for one in settings]
    members = [Member(command, plan(n), log) for n, (command, log) in enumerate(zip(commands, logs, strict=True))]
    threads = [threading.Thread(target=member.run) for member in members]
    for thread in threads:
        thread.start()
    try:
        until(lambda: sum(len(member.killed) for member in members) >= 5, "five kills")
        kafka_server.kill()
        kafka_server.start()
        until(lambda: not any(member.incidents for member in members), "all kills")
        until(lambda: done(kafka_server.address, group), "all offsets committed")
    finally:
        for member in members:
            member.stop.set()
        for thread in threads:
            thread.join(60)
        for log in logs:
            log.close()

    incidents = [incident for member in members for incident in member.killed]
    uncommitted = read(kafka_server.address, RESPONSE_VERDICTS.name, "read_uncommitted")
    responses = decoded(kafka_server.address, RESPONSE_VERDICTS.name, ResponseVerdictV1)
    claims = decoded(kafka_server.address, CLAIM_VERDICTS.name, ClaimVerdictV1)
    assert len(incidents) >= 10
    assert sum(incident.inside_a_transaction for incident in incidents) >= 3
    assert len(uncommitted) > len(responses)
    assert Counter(one.response_id for one in responses) == Counter(ids)
    assert Counter(one.verdict_id for one in claims) == Counter(
        ref.verdict_id for one in responses for ref in one.claims
    )
    assert {one.state.value for one in responses} == {"checked"}
    assert all(one.evidence_ids for one in responses)
    assert done(kafka_server.address, group)
    assert ends(kafka_server.address, RESPONSES_DLQ.name) == {0: 0}


def member_settings(bootstrap: str, opensearch: str, group: str, folder: Path) -> dict[str, Any]:
    """One verifier's settings: its own identity, folder and embedded dense leg; Kafka and OpenSearch shared."""
    settings = VerifierSettings.model_validate(
        {
            "kafka": {"bootstrap": bootstrap, "group_id": group, "instance_id": folder.name, **CLASSIC},
            "retrieval": {
                "dense": {"kind": "embedded", "data_dir": str(folder / "data")},
                "sparse": {"kind": "opensearch", "url": opensearch, "timeout_seconds": 30},
                "leg_timeout_seconds": 30,
            },
            "loop": {
                "batch_records": 8,
                "batch_age_seconds": 0.05,
                "drain_seconds": 3,
                "state_dir": str(folder / "state"),
            },
            "models": {"threads": 1},
        }
    )
    return json.loads(settings.model_dump_json())  # type: ignore[no-any-return]


def index(corpus: str, retrieval: dict[str, Any], folder: Path) -> None:
    """One document into OpenSearch and the first member's embedded leg."""
    (folder / "docs").mkdir()
    (folder / "docs" / "policy.md").write_text(POLICY)
    engines = open_engines(RetrievalSettings.model_validate(retrieval))
    indexer = open_indexer(open_embedder(ModelSettings()), engines, SystemClock())
    indexer.index_folder(CorpusRef("acme", corpus), folder / "docs", FolderReader())
    engines.close()


def produce(cluster: KafkaCluster, corpus: str) -> list[str]:
    """Write all answers without transactions, evenly over the partitions; every one says something else."""
    ids = [f"r{number:04}" for number in range(ANSWERS)]
    for number, one in enumerate(ids):
        text = f"Refund number {number} is available within 30 days of purchase."
        value = response_bytes(one, text=text, corpus=corpus)
        cluster.enqueue(RESPONSES.name, value, one.encode(), number % RESPONSES.partitions)
    cluster.flush()
    return ids


def done(bootstrap: str, group: str) -> bool:
    """Whether the committed offset is the end offset of every partition."""
    return committed(bootstrap, group, RESPONSES.name) == ends(bootstrap, RESPONSES.name)


def decoded(bootstrap: str, topic: str, message: type[M]) -> list[M]:
    """What a read-committed consumer sees of a topic."""
    return [msgspec.json.decode(record.value() or b"", type=message) for record in read(bootstrap, topic)]
