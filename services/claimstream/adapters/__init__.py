"""The only importers of client libraries; one folder a technology, and none imports another."""
