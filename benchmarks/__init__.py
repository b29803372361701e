"""Scripts that print the tables in the README; `make bench` runs them all."""
