"""Peers: scripts that any interpreter runs by path, each printing JSON. They import nothing of ours but what lies here."""
