"""The embedded phone: apps declared in YAML, laid out, rendered and played as a `Device`."""
