"""Files to documents, and documents to chunks: Markdown, HTML and plain text."""
