"""Match files: format, reading, writing and verification."""
