"""Games small enough to be solved: every position, what each decision is worth, and how far agents are from the best."""
