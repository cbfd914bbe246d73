"""The Docker stack is the same stack: same versions and ports, pinned images, health checks everywhere."""

import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

from claimstream.adapters.stack.artifacts import recipe
from claimstream.config.retrieval import OpenSearchSettings, QdrantSettings
from claimstream.config.stack import StackSettings

COMPOSE = Path(__file__).parents[2] / "deploy" / "compose.yaml"
SERVICES: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]


def _tag(service: str) -> str:
    return str(SERVICES[service]["image"].rpartition(":")[2])


def _published(service: str) -> set[int]:
    return {int(port.split(":")[1]) for port in SERVICES[service]["ports"]}


def test_the_three_servers_are_there() -> None:
    assert set(SERVICES) == {"kafka", "opensearch", "qdrant"}


@pytest.mark.parametrize("service", SERVICES)
def test_images_are_pinned_to_a_full_version(service: str) -> None:
    assert re.fullmatch(r"v?\d+\.\d+\.\d+", _tag(service))


@pytest.mark.parametrize("service", SERVICES)
def test_health_is_checked(service: str) -> None:
    check = SERVICES[service]["healthcheck"]
    assert check["test"][0] == "CMD"
    assert set(check) >= {"interval", "timeout", "retries", "start_period"}


@pytest.mark.parametrize("service", SERVICES)
def test_ports_are_published_to_this_machine_only(service: str) -> None:
    assert all(port.startswith("127.0.0.1:") for port in SERVICES[service]["ports"])


@pytest.mark.parametrize("service", SERVICES)
def test_data_outlives_the_container(service: str) -> None:
    volumes = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["volumes"]
    assert SERVICES[service]["volumes"][0].split(":")[0] in volumes


@pytest.mark.parametrize("service", ["kafka", "opensearch"])
def test_versions_are_those_of_the_stack_without_docker(service: str) -> None:
    assert _tag(service) == recipe(service).version


def test_qdrant_is_at_most_one_minor_version_from_its_client() -> None:
    server = [int(part) for part in _tag("qdrant").lstrip("v").split(".")]
    client = [int(part) for part in version("qdrant-client").split(".")[:2]]
    assert server[0] == client[0]
    assert abs(server[1] - client[1]) <= 1


def test_ports_are_the_defaults_of_the_settings() -> None:
    stack = StackSettings()
    assert stack.kafka_port in _published("kafka")
    assert stack.opensearch_port in _published("opensearch")
    assert OpenSearchSettings().url == f"http://127.0.0.1:{stack.opensearch_port}"
    assert int(QdrantSettings().url.rpartition(":")[2]) in _published("qdrant")
