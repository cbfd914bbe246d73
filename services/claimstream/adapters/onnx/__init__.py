"""ONNX Runtime: model folders, checked sessions, the embedder and the entailment scorer."""
