"""What all tests share: real servers, once a session and only when asked for; unique names; the order."""

import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from claimstream.adapters.stack.kafka import KafkaServer
from claimstream.adapters.stack.launcher import Stack
from claimstream.adapters.stack.opensearch import OpenSearchServer
from claimstream.adapters.stack.toolchain import find_java, find_maven
from claimstream.config.stack import StackSettings
from claimstream.errors import ConfigurationError

pytest_plugins = ("skip_policy",)

_ORDER = ("unit", "schemas", "deploy", "conformance", "services", "pipeline", "gpu", "faults")
"""The folders from cheap to dear."""

_QUICK_TO_NOTICE = {
    # A killed broker is let in again after this time; a killed client's group and transaction move on.
    "broker.heartbeat.interval.ms": "500",
    # A killed broker answers from its last checkpoint until it has read its log: offsets that were committed since
    # would be forgotten for a moment, and members that start just then would judge a batch twice.
    "replica.high.watermark.checkpoint.interval.ms": "50",
    "broker.session.timeout.ms": "4000",
    "group.min.session.timeout.ms": "1000",
    "group.consumer.min.session.timeout.ms": "1000",
    "group.consumer.session.timeout.ms": "6000",
    "group.consumer.min.heartbeat.interval.ms": "500",
    "group.consumer.heartbeat.interval.ms": "1000",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "1000",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Cheap first: without servers before with servers, then by folder; the order inside a folder stays."""
    items.sort(key=lambda item: (_needs_servers(item), _rank(item)))


def _needs_servers(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("kafka", "opensearch", "qdrant"))


def _rank(item: pytest.Item) -> int:
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    return _ORDER.index(folder) if folder in _ORDER else len(_ORDER)


@pytest.fixture
def unique() -> Callable[[str], str]:
    """Names for topics, groups, transactional ids and indices that no other test has."""
    return lambda prefix: f"{prefix}-{uuid.uuid4().hex[:12]}"


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Servers of this session alone, on free ports and in a temporary folder; nothing runs yet.

    A guard process waits at a pipe and ends them when this process ends, also when it is killed.
    """
    try:
        find_java(os.environ)
        find_maven(os.environ)
    except ConfigurationError as missing:
        pytest.skip(f"no real servers here: {missing}")
    folder = tmp_path_factory.mktemp("stack")
    settings = StackSettings(data_dir=folder, kafka_port=0, opensearch_port=0, kafka_properties=_QUICK_TO_NOTICE)
    guard = [sys.executable, str(Path(__file__).with_name("stack_guard.py")), str(folder)]
    with subprocess.Popen(guard, stdin=subprocess.PIPE, start_new_session=True):
        yield Stack(settings, os.environ)


@pytest.fixture(scope="session")
def kafka_server(stack: Stack) -> KafkaServer:
    """The handle of a running broker, for tests that stop it; such a test starts it again."""
    server = stack.kafka()
    server.start(timeout_seconds=120)  # a busy machine is no failure
    return server


@pytest.fixture(scope="session")
def opensearch_server(stack: Stack) -> OpenSearchServer:
    """The handle of a running node, for tests that stop it; such a test starts it again."""
    server = stack.opensearch()
    server.start(timeout_seconds=120)  # a busy machine is no failure
    return server


@pytest.fixture(scope="session")
def kafka_bootstrap(kafka_server: KafkaServer) -> str:
    """`host:port` of a real broker."""
    return kafka_server.address


@pytest.fixture(scope="session")
def opensearch_url(opensearch_server: OpenSearchServer) -> str:
    """The URL of a real node."""
    return opensearch_server.address
