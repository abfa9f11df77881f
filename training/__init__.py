"""Self-play training of MaskablePPO on Hansa Teutonica."""
