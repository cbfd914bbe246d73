"""All settings of the indexer: where passages go and which model embeds them."""

from pydantic_settings import BaseSettings, SettingsConfigDict

from claimstream.config.models import ModelSettings
from claimstream.config.retrieval import RetrievalSettings


class IndexerSettings(BaseSettings):
    """The blocks that the indexer shares with the verifier, under the same names."""

    model_config = SettingsConfigDict(
        env_prefix="CLAIMSTREAM_", env_nested_delimiter="__", frozen=True, extra="ignore", validate_default=True
    )

    retrieval: RetrievalSettings = RetrievalSettings()
    models: ModelSettings = ModelSettings()
