"""The loop without a broker: poll, decode, handle, publish, commit."""
