"""The pure core, its rooms in pipeline order: claims, evidence, judging (with typed checks), policy."""
