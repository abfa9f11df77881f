"""Pages of HTML that need nothing else: no server, no network."""
