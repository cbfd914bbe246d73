"""Kafka by confluent-kafka: the channel of the loop, topics, and the embedded broker."""
