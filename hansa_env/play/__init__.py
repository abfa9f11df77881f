"""Playing: games by the thousand, one readable game, agents, and one learner among agents."""
