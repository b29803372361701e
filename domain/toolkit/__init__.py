"""General helpers of games: decks, hexagonal grids and verifiable random draws."""
