"""All settings of the verifier, from the environment (`CLAIMSTREAM_KAFKA__BOOTSTRAP=…`) or from arguments."""

from pydantic_settings import BaseSettings, SettingsConfigDict

from claimstream.config.judging import JudgingSettings
from claimstream.config.kafka import KafkaSettings
from claimstream.config.loop import LoopSettings
from claimstream.config.models import ModelSettings
from claimstream.config.retrieval import RetrievalSettings


class VerifierSettings(BaseSettings):
    """One block a dependency; printed once at start, secrets masked."""

    model_config = SettingsConfigDict(
        env_prefix="CLAIMSTREAM_", env_nested_delimiter="__", frozen=True, extra="forbid", validate_default=True
    )

    kafka: KafkaSettings = KafkaSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    models: ModelSettings = ModelSettings()
    judging: JudgingSettings = JudgingSettings()
    loop: LoopSettings = LoopSettings()
