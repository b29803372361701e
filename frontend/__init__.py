"""The Brython PWA: its modules (`app`), stand-ins (`shim`), static files and build."""
