"""What players and their networks are given of a game: the observation vector, and tables of the board's structure."""
