"""What all subjects share: problems, limits, hosts, the way requests come in."""
