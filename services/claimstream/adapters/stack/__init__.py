"""Real Kafka and OpenSearch on this machine without Docker: JVMs started from their Maven artifacts."""
