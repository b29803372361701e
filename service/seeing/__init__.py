"""What whoever runs the service sees of it: metrics, and a log whose lines name their request."""
