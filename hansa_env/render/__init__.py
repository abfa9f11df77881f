"""Games for people to look at."""
