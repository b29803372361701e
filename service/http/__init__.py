"""HTTP building blocks shared by all API modules: problems, rate limits, hosts, request guards."""
