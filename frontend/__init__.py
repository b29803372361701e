"""The Brython PWA: its modules (`app`), shims (`shim`), static files and build tools."""
