"""50 answers through the real verifier on the embedded broker: 50 complete traces, carried by every record."""

import time
from collections import defaultdict
from pathlib import Path

from confluent_kafka import Producer

from brokers import read
from claimstream.adapters.documents.folder import FolderReader
from claimstream.adapters.kafka.embedded import EmbeddedBroker
from claimstream.adapters.system.clock import SystemClock
from claimstream.config.loop import LoopSettings
from claimstream.config.retrieval import EmbeddedSettings, RetrievalSettings
from claimstream.contracts.codec import TRACEPARENT, header
from claimstream.contracts.topics import CLAIM_VERDICTS, RESPONSE_VERDICTS, RESPONSES, RESPONSES_DLQ, TOPICS
from claimstream.contracts.traceparent import parse_traceparent
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.indexer.app import open_indexer
from claimstream.ports.off import NullMetrics
from claimstream.runtime.engines import open_engines
from claimstream.runtime.models import open_embedder, open_scorer
from claimstream.testing.telemetry import Trace, traces
from claimstream.verifier.app import compose, open_runner
from claimstream.verifier.settings import VerifierSettings
from grammar import parser
from loop import response_bytes
from otel_capture import OtelCapture, capture_traces

ANSWERS = 50
DOCUMENT = (
    "# Refunds\n\nRefunds are available within 30 days of purchase.\n\n# Shipping\n\nOrders ship within 2 days.\n"
)


def test_fifty_answers_are_fifty_complete_traces(tmp_path: Path) -> None:
    capture = capture_traces()
    broker = EmbeddedBroker(TOPICS)
    try:
        sent = produce(broker.address)
        judge(broker, tmp_path, capture)
        published = {
            topic: trace_ids(broker.address, topic) for topic in (CLAIM_VERDICTS.name, RESPONSE_VERDICTS.name)
        }
        found = traces(capture.spans())
        dead = read(broker.address, RESPONSES_DLQ.name)
    finally:
        broker.close()
        capture.shutdown()
    complete = {name: trace for name, trace in found.items() if not trace.missing() and not trace.strays()}
    assert len(complete) == ANSWERS == len(found)
    assert dead == []
    for key, trace_id in sent.items():
        assert published[RESPONSE_VERDICTS.name][key] == published[CLAIM_VERDICTS.name][key]
        (own,) = published[RESPONSE_VERDICTS.name][key]
        assert own in complete
        assert trace_id in (None, own)
    assert len({next(iter(ids)) for ids in published[RESPONSE_VERDICTS.name].values()}) == ANSWERS
    assert events_of(capture) == set(sent)
    assert all(shows_one_leg_each(trace) for trace in complete.values())


def produce(address: str) -> dict[str, str | None]:
    """Write the answers, every other one inside a bot's own trace; returns the trace id of each, if it has one."""
    producer = Producer({"bootstrap.servers": address})
    sent: dict[str, str | None] = {}
    for number in range(ANSWERS):
        key, trace_id = f"r{number}", f"{number + 1:032x}" if number % 2 else None
        headers = [(TRACEPARENT, f"00-{trace_id}-{7:016x}-01".encode())] if trace_id else []
        text = f"Refund number {number} is available within 30 days of purchase."
        producer.produce(RESPONSES.name, response_bytes(key, text=text, corpus="help"), key=key, headers=headers)
        sent[key] = trace_id
    assert producer.flush(30) == 0
    return sent


def judge(broker: EmbeddedBroker, folder: Path, capture: OtelCapture) -> None:
    """Run the real verifier over the topic until every answer has its verdict."""
    here, clock = EmbeddedSettings(data_dir=folder / "data"), SystemClock()
    settings = VerifierSettings(
        kafka=broker.settings(group_id="traces"),
        retrieval=RetrievalSettings(dense=here, sparse=here, leg_timeout_seconds=60),
        loop=LoopSettings(state_dir=folder / "state"),
    )
    (folder / "docs").mkdir()
    (folder / "docs" / "policy.md").write_text(DOCUMENT)
    engines, embedder = open_engines(settings.retrieval), open_embedder(settings.models)
    open_indexer(embedder, engines, clock).index_folder(CorpusRef("acme", "help"), folder / "docs", FolderReader())
    scorer, metrics = open_scorer(settings.models), NullMetrics()
    verifier = compose(settings, engines, clock, metrics, parser=parser(), embedder=embedder, scorer=scorer)
    runner = open_runner(settings, verifier, clock=clock, metrics=metrics, tracer=capture.tracer)
    runner.start()
    deadline = time.monotonic() + 120
    while len(traces(capture.spans())) < ANSWERS:
        assert time.monotonic() < deadline, runner.health
        runner.step()
    runner.close()
    engines.close()


def trace_ids(address: str, topic: str) -> dict[str, set[str]]:
    """Record key -> the trace ids in the headers of its records."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for message in read(address, topic):
        context = parse_traceparent(header(tuple(message.headers() or ()), TRACEPARENT))
        assert context is not None
        found[str(message.key(), "utf-8")].add(context.trace_id)
    return dict(found)


def events_of(capture: OtelCapture) -> set[str]:
    """The response ids of the evaluation events."""
    records = [one.log_record for one in capture.log_exporter.get_finished_logs()]
    return {str((record.attributes or {})["gen_ai.response.id"]) for record in records}


def shows_one_leg_each(trace: Trace) -> bool:
    names = [child.name for child in trace.children]
    return names.count("retrieval dense") == names.count("retrieval sparse") == 1
