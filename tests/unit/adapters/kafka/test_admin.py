"""Looking for a broker that is not there."""

import pytest

from claimstream.adapters.kafka.admin import KafkaAdmin
from claimstream.adapters.kafka.channel import KafkaChannel
from claimstream.adapters.system.clock import SystemClock
from claimstream.config.kafka import KafkaSettings
from claimstream.contracts.topics import RESPONSES
from claimstream.errors import BrokerUnavailable

NOWHERE = KafkaSettings(bootstrap="127.0.0.1:1", request_timeout_seconds=0.5)
WHAT_TO_DO = r"No broker answers at 127\.0\.0\.1:1 .*claimstream stack up.*CLAIMSTREAM_KAFKA__BOOTSTRAP"


def test_no_broker_for_topics() -> None:
    with pytest.raises(BrokerUnavailable, match=WHAT_TO_DO):
        KafkaAdmin(NOWHERE).create([RESPONSES])


def test_no_broker_for_the_loop() -> None:
    channel = KafkaChannel(NOWHERE, SystemClock())
    with pytest.raises(BrokerUnavailable, match=WHAT_TO_DO):
        channel.subscribe(["bot.responses"], None)  # type: ignore[arg-type]  # nobody is called back
    channel.close()
