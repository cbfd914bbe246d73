"""OpenSearch by opensearch-py: the sparse leg on a cluster, and its aliases."""
