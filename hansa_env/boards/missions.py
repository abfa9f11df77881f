"""The mission cards (R11.3), as printed; every city is on both base boards."""

#: By number of the card: the three cities.
MISSIONS = (
    ("osnabruck", "stendal", "paderborn"),
    ("dortmund", "minden", "luneburg"),
    ("minden", "perleberg", "goslar"),
    ("arnheim", "perleberg", "hannover"),
    ("dortmund", "stendal", "kampen"),
    ("arnheim", "osnabruck", "hildesheim"),
    ("arnheim", "perleberg", "bremen"),
    ("minden", "osnabruck", "magdeburg"),
    ("dortmund", "stendal", "munster"),
)
