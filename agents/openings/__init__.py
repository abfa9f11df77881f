"""How games of strong agents begin: `hansa openings` plays them and writes a file, which `hansa table` shows."""
