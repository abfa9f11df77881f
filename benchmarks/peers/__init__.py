"""Peers: scripts that any interpreter runs by path, each printing JSON; they import nothing from outside here."""
