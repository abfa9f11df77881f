"""A promo marker that no box has, as somebody would add it: what changes in which file of the package."""

from __future__ import annotations

#: By file of the package: texts that are there once, and what stands there instead.
EDITS: dict[str, list[tuple[str, str]]] = {
    "rulebook/rules.md": [
        ("- R13.8 Such", "- R13.9 **gift**: another player of your choice moves a trader from stock to supply.\n- R13.8 Such"),
    ],
    "rulebook/notation.md": [
        ("| `token` | `route R`", "| `gift` | `seat S`: who is given a trader | |\n| `token` | `route R`"),
    ],
    "ruleset.py": [('"trade-in", "tribute", "block",\n', '"trade-in", "tribute", "block", "gift",\n')],
    "engine/state.py": [
        ("TRIBUTE, BLOCK,\n)", "TRIBUTE, BLOCK, GIFT,\n)"),
        ("ASK_GREEN_TRIBUTE, OVER,\n) = range(41)", "ASK_GREEN_TRIBUTE, ASK_GIFT, OVER,\n) = range(42)"),
        ('("padding", np.int8, 18)', '("padding", np.int8, 8)'),  # markers and used ones of five seats take ten bytes more
    ],
    "engine/rules/promo_markers.py": [
        ("import ASK_TRADE_IN,", "import ASK_GIFT, GIFT, ASK_TRADE_IN,"),
        (
            "    if game[\"supply\"][seat, TRADER] > 0:\n",
            "    if markers[seat, GIFT] > 0:\n        offer(game, tables, MARKER, GIFT)\n"
            "    if game[\"supply\"][seat, TRADER] > 0:\n",
        ),
        (
            "    else:\n        begin_token(game, marker)\n",
            "    elif marker == GIFT:\n        use_marker(game, GIFT)\n        ask(game, ASK_GIFT, game[\"turn\"])\n"
            "    else:\n        begin_token(game, marker)\n",
        ),
        (
            "@inner\ndef offer_partners(",
            '''@inner
def offer_receivers(game, tables):
    """R13.9: the other seats, named like their traders."""
    for other in range(tables["players"]):
        if other != game["turn"]:
            offer_piece(game, tables, other, TRADER)


@inner
def play_receiver(game, tables, kind, piece):
    """R13.9: a trader of that seat goes from stock to supply."""
    receiver = piece_owner(game, tables, piece)
    if game["stock"][receiver, TRADER] > 0:
        game["stock"][receiver, TRADER] -= 1
        game["supply"][receiver, TRADER] += 1
    end_action(game, tables)


@inner
def offer_partners(''',
        ),
    ],
    "engine/questions.py": [
        (
            "QUESTIONS = (\n",
            'GIFT = (Question(state.ASK_GIFT, "gift", "gift", promo_markers.offer_receivers, promo_markers.play_receiver),)\n'
            "QUESTIONS = (\n",
        ),
        ("GREEN_TRIBUTE),\n)", "GREEN_TRIBUTE),\n    *_asked_in(_promos, GIFT),\n)"),
    ],
    "formats/descriptions.py": [
        (
            "BRITANNIA = (\n",
            """GIFT = Description(
    state.ASK_GIFT, "choose who is given a trader", {"seat": "to seat {0}"}, {"piece": "seat"},
    orders={"seat": "send a trader to seat {0}"}, labels={"send a trader to seat 1": "give it away"},
    clicks={"seat": "the desk of who is given it"}, unlisted=("seat",),
    story=("Seat {turn} gives a trader.", "{claimed} is not told of."), costs={"": "{unused}"},
    trails={"seat": Way("stock {0} trader", "supply {0} trader", "{0} trader")},
    marker="gift", goes_on=True, staged=" ", part=PROMOS,
)
BRITANNIA = (
""",
        ),
        ("*BRITANNIA,\n", "*BRITANNIA, GIFT,\n"),
    ],
}  # fmt: skip
