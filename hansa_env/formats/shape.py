"""Whether the ids, lengths and pieces of a position or record are those of its ruleset, before any rule is asked.

`position_shape(position, ruleset)` and `record_shape(record, ruleset)` give one text per problem.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from hansa_env.engine.rules.scoring import score_columns
from hansa_env.formats.action_fields import ACTION_FIELDS
from hansa_env.formats.description import ANYONES, Description
from hansa_env.formats.errors import listed, shown, shown_key
from hansa_env.formats.explain import SEATED
from hansa_env.formats.find_question import row_within, rows_named
from hansa_env.formats.modules import absent_without, position_modules_fit, setup_modules_fit
from hansa_env.formats.position_on_board import BoardFacts, board_facts
from hansa_env.formats.schema import Config, PositionModel, RecordModel, Setup
from hansa_env.ruleset import Ruleset

#: By how much a share in a record may be off.
ROUNDING = 0.001


def position_shape(position: PositionModel, ruleset: Ruleset) -> Iterator[str]:
    """Problems of ids, lengths, owners and kinds."""
    yield from variant_named(position, ruleset)
    for field in SEATED:
        yield from one_per_seat(field, getattr(position, field), ruleset)
    facts = board_facts(ruleset)
    yield from same_ids("posts", position.posts, facts.routes, "route")
    yield from same_ids("offices", position.offices, facts.cities, "city")
    yield from same_ids("prestige_spaces", position.prestige_spaces, facts.prestige_spaces, "space")
    yield from known_ids("extras", position.extras, facts.cities, "city")
    yield from known_ids("route_markers", position.route_markers, facts.routes, "route")
    if position.pawn is not None:
        yield from known_ids("pawn", [position.pawn], facts.provinces, "province")
    for route in position.posts.keys() & facts.routes.keys():
        yield from row_length("posts", route, position.posts[route], facts.lanes[route].posts, "posts")
    yield from ships_of_the_board(position, facts)
    yield from tokens_of_the_game(position, ruleset)
    for city in position.offices.keys() & facts.cities.keys():
        if facts.cities[city].green:
            yield from offices_of_a_green_city(city, position.offices[city])
        else:
            yield from row_length("offices", city, position.offices[city], len(facts.spaces[city]), "spaces")
    yield from pieces_of_the_game(position, ruleset)
    yield from hand_of_the_question(position, ruleset)
    yield from seats_of_the_game(position, ruleset)
    yield from position_modules_fit(position, ruleset)
    yield from absent_without("discarded", position, ruleset.two_players == "neutral", "neutral traders (R8.2)")
    yield from countries_of_the_board(position, facts)
    action = position.action
    if action is not None:
        known = facts.routes if action.verb == "claim" else facts.lanes
        yield from known_ids("action route", [action.route] if action.route is not None else [], known, "route")
        yield from known_ids("action city", [action.city] if action.city is not None else [], facts.cities, "city")


def record_shape(record: RecordModel, ruleset: Ruleset) -> Iterator[str]:
    """Problems of the setup (R1.5, R1.6), seats and result."""
    yield from variant_named(record, ruleset)
    yield from setup_is_dealt(record.setup, ruleset)
    if record.agents is not None:
        yield from one_per_seat("agents", record.agents, ruleset)
    if record.estimated_by is not None:
        yield from one_per_seat("estimated_by", record.estimated_by, ruleset)
    yield from luck_fits(record, ruleset)
    for number, (seat, _) in enumerate(record.decisions):
        if seat >= ruleset.players:
            yield f"decision {number}: seat {seat}; expected 0 to {ruleset.players - 1}"
            break
    yield from estimates_fit(record, ruleset)
    yield from result_is_whole(record, ruleset)


def estimates_fit(record: RecordModel, ruleset: Ruleset) -> Iterator[str]:
    """One for each decision; its decisions are different ones, the largest share first, and together at most everything."""
    if record.estimates is None:
        return
    if len(record.estimates) != len(record.decisions):
        yield f"estimates: {len(record.estimates)}; expected {len(record.decisions)}, one for each decision, null where none is"
        return
    for number, estimate in enumerate(record.estimates):
        if estimate is None:
            continue
        names = [name for name, _, _ in estimate.likeliest]
        shares = [share for _, share, _ in estimate.likeliest]
        if len(set(names)) < len(names):
            twice = Counter(names).most_common(1)[0][0]
            yield f"estimate of decision {number}: {shown(twice)} is given twice"
        elif shares != sorted(shares, reverse=True):
            given = ", ".join(f"{share:g}" for share in shares)
            yield f"estimate of decision {number}: shares {given}; expected the largest first"
        elif sum(shares) > 1 + ROUNDING * len(shares):
            yield f"estimate of decision {number}: shares sum to {sum(shares):g}; expected at most 1"
        elif estimate.seats is not None and len(estimate.seats) != ruleset.players:
            yield from one_per_seat(f"estimate of decision {number} seats", estimate.seats, ruleset)
        elif estimate.seats is not None and abs(sum(estimate.seats) - 1) > ROUNDING * len(estimate.seats):
            yield f"estimate of decision {number}: seats sum to {sum(estimate.seats):g}; expected 1"
        else:
            continue
        break


def luck_fits(record: RecordModel, ruleset: Ruleset) -> Iterator[str]:
    """Draws lie within the game, each behind the one before it, and what they give one seat they take from others."""
    last = 0
    for draw in record.luck.draws if record.luck is not None else ():
        if not last < draw.after <= len(record.decisions):
            yield f"luck: a draw after {draw.after} decisions; expected {last + 1} to {len(record.decisions)}, in order"
            return
        last = draw.after
        if len(draw.seats) != ruleset.players:
            yield from one_per_seat(f"luck of the draw after {last} decisions", draw.seats, ruleset)
            return
        if abs(sum(draw.seats)) > ROUNDING * len(draw.seats):
            yield f"luck of the draw after {last} decisions: seats sum to {sum(draw.seats):g}; expected 0"
            return


def setup_is_dealt(setup: Setup, ruleset: Ruleset) -> Iterator[str]:
    """R1.5, R1.6: the start markers on the tavern routes, all others of the edition in the pile; R13.4: or some of those that
    the pile is drawn from."""
    facts, start = board_facts(ruleset), board_facts(ruleset).start_markers
    yield from same_ids("setup markers", setup.markers, facts.taverns, "tavern route")
    if sorted(setup.markers.values()) != sorted(start):
        kinds = ", ".join(setup.markers.values())
        yield f"setup markers: {kinds}; expected one each of {', '.join(start)} (R1.5)"
    dealt: Counter[str] = Counter(setup.pile)
    if facts.in_box and len(setup.pile) != ruleset.pile_size:
        yield f"setup pile: {len(setup.pile)} markers; expected {ruleset.pile_size} in the edition {ruleset.edition} (R13.4)"
    for kind in facts.markers | dealt:
        count = facts.markers[kind] - (kind in start)
        if facts.in_box:
            if dealt[kind] > count:
                yield f"setup pile: {dealt[kind]} {kind}; expected at most {count} with promo markers (R13.4)"
        elif dealt[kind] != count:
            yield f"setup pile: {dealt[kind]} {kind}; expected {count} in the edition {ruleset.edition} (R1.6)"
    yield from setup_modules_fit(setup, ruleset)


def result_is_whole(record: RecordModel, ruleset: Ruleset) -> Iterator[str]:
    """Reason, scores and winners are all given or all null; a game cut off has scores and winners, but no reason."""
    result = record.result
    given = [name for name in ("reason", "scores", "winners") if getattr(result, name) is not None]
    if given not in ([], ["scores", "winners"], ["reason", "scores", "winners"]):
        yield f"result: only {' and '.join(given)} given; expected reason, scores and winners, or null for each"
    if result.scores is not None:
        yield from one_per_seat("result scores", result.scores, ruleset)
        columns = score_columns(ruleset)
        for seat, row in enumerate(result.scores):
            if len(row) != len(columns):
                yield f"result scores of seat {seat}: {len(row)} columns; expected {len(columns)}, {', '.join(columns)}"
            elif sum(row[:-1]) != row[-1]:
                yield f"result scores of seat {seat}: total {row[-1]}; expected {sum(row[:-1])}, the sum of the rest"
    winners = result.winners
    if winners is not None and (sorted(set(winners)) != winners or winners[-1] >= ruleset.players):
        yield f"result winners: {winners}; expected different seats below {ruleset.players}, in order"


def variant_named(config: Config, ruleset: Ruleset) -> Iterator[str]:
    """With two players the variant is written out, never left to the edition."""
    if config.two_players != ruleset.two_players:
        yield f'two_players: {shown(config.two_players)}; expected "pawn" or "neutral" with 2 players'


def one_per_seat(field: str, values: Collection, ruleset: Ruleset) -> Iterator[str]:
    if len(values) != ruleset.players:
        yield f"{field}: {len(values)} seats; expected {ruleset.players}"


def same_ids(field: str, given: Mapping, known: Collection[str], thing: str) -> Iterator[str]:
    """Every id of the board, and no other."""
    yield from known_ids(field, given, known, thing)
    missing = [id_ for id_ in known if id_ not in given]
    if missing:
        yield f"{field}: {listed(missing)} missing; expected every {thing} of the board"


def known_ids(field: str, given: Collection[str], known: Collection[str], thing: str) -> Iterator[str]:
    unknown = [id_ for id_ in given if id_ not in known]
    if unknown:
        yield f"{field}: {listed(unknown)} unknown; expected a {thing} of the board"


def row_length(field: str, id_: str, row: list, length: int, things: str) -> Iterator[str]:
    if len(row) != length:
        pieces = sum(piece is not None for piece in row)
        yield f"{field} {id_}: {f'{pieces} pieces' if pieces > length else f'{len(row)} entries'} on {length} {things}"


def ships_of_the_board(position: PositionModel, facts: BoardFacts) -> Iterator[str]:
    """R9.4: the ship posts of every maritime route, where the board has any; else no such field."""
    if not facts.ships:
        if "ships" in position.model_fields_set:
            yield "field ships is unknown on a board without ship posts; remove it"
        return
    if position.ships is None:
        yield "field ships is missing; expected the ship posts of every maritime route"
        return
    yield from same_ids("ships", position.ships, facts.ships, "maritime route")
    for route in position.ships.keys() & facts.ships.keys():
        yield from row_length("ships", route, position.ships[route], facts.ships[route], "ship posts")


def row_of(position: PositionModel) -> Description | None:
    """What is known of the question, or where no action of this verb asks it, of another of its name."""
    found = row_within(position.asked, position.action.verb if position.action else None)
    return found or next(iter(rows_named(position.asked)), None)


def countries_of_the_board(position: PositionModel, facts: BoardFacts) -> Iterator[str]:
    """R10: the fields of a board with regions, where the question calls for them; else no such fields. Permissions may be left
    out where none is used."""
    named = {"permissions": position.permissions, "foreign": position.foreign, "from": position.origins}
    called_for = fields_of_countries(position, facts)
    for field, value in named.items():
        if field in called_for and value is None and field != "permissions":
            yield f"field {field} is missing at {position.asked}; expected it on a board with regions"
        elif value is not None and field not in called_for:
            yield f"field {field} is unknown at {position.asked}{'' if facts.board.regions else ' on this board'}; remove it"
    if position.permissions is not None and "permissions" in called_for:
        yield from known_ids("permissions", position.permissions, facts.board.gateways, "city with a permission")
        if sorted(set(position.permissions)) != position.permissions:
            yield f"permissions: {', '.join(position.permissions)}; expected different cities, sorted"
    if position.foreign is not None and "foreign" in called_for:
        yield from same_ids("foreign", position.foreign, facts.board.countries[1:], "region")
    if position.origins is not None and "from" in called_for:
        yield from known_ids("from", position.origins, facts.board.countries, "country")
        if len(position.origins) != len(position.hand):
            yield f"from: {len(position.origins)} countries; expected {len(position.hand)}, one for each piece in hand"


def fields_of_countries(position: PositionModel, facts: BoardFacts) -> set[str]:
    """R10: which of the three fields are given at the question."""
    if not facts.board.regions:
        return set()
    action, row = position.action, row_of(position)
    return {"permissions", *(row.fields_of_countries(bool(action and action.settled and position.hand)) if row else ())}


def offices_of_a_green_city(city: str, row: list) -> Iterator[str]:
    """R9.8: the offices placed there, without empty spaces."""
    if None in row:
        yield f"offices {city}: null in a green city; expected the offices placed there only (R9.8)"


def tokens_of_the_game(position: PositionModel, ruleset: Ruleset) -> Iterator[str]:
    """R13.5, R13.8: the fields of promo markers, where they are played with; else no such fields."""
    if ruleset.promos:
        yield from known_ids("tokens", position.tokens or {}, board_facts(ruleset).routes, "route")
    elif "tokens" in position.model_fields_set:
        yield "tokens: null; expected the tokens by route, or no such field without promo markers"
    action = position.action
    if action is None:
        return
    for field in ACTION_FIELDS:
        given = field.name in action.model_fields_set
        if given and not field.given_in(ruleset):
            yield f"action field {field.name} is unknown without {field.without(ruleset)}; remove it"
        elif not given and field.given_in(ruleset) and not field.may_be_left_out:
            yield f"action field {field.name} is missing; expected it with promo markers"


def hand_of_the_question(position: PositionModel, ruleset: Ruleset) -> Iterator[str]:
    """R9.14a, R13.3: pieces with their seats where anyone's are lifted; else the kinds of one seat's."""
    row = row_of(position)
    seated = row is not None and row.hand == ANYONES
    for piece in position.hand:
        if (len(piece) > 1) != seated:
            yield f"hand: {piece} at {position.asked}; expected {'seats and kinds' if seated else 't or m each'}"


def pieces_of_the_game(position: PositionModel, ruleset: Ruleset) -> Iterator[str]:
    """Owners that play; neutral pieces only where the neutral player does (R8.2), and never as an extra office."""
    owners = {str(seat) for seat in range(ruleset.players)}
    with_neutral = owners | {"n"} if ruleset.two_players == "neutral" else owners
    rows: list[tuple[str, list, set[str]]] = [
        *((f"posts {shown_key(id_)}", row, with_neutral) for id_, row in position.posts.items()),
        *((f"ships {shown_key(id_)}", row, owners) for id_, row in (position.ships or {}).items()),
        *((f"offices {shown_key(id_)}", row, with_neutral) for id_, row in position.offices.items()),
        *((f"extras {shown_key(id_)}", row, owners) for id_, row in position.extras.items()),
    ]
    rows.append(("hand", [piece for piece in position.hand if len(piece) > 1], owners))
    action = position.action
    if action is not None:
        rows.append(("action victim", [action.victim], with_neutral))
    for name, row, allowed in rows:
        for piece in row:
            if piece is not None and piece[0] not in allowed:
                yield f"{name}: {piece}; expected a piece of this game's owners, {', '.join(sorted(allowed))}"


def seats_of_the_game(position: PositionModel, ruleset: Ruleset) -> Iterator[str]:
    """Seats below the number of players."""
    rows: list[tuple[str, list]] = [("seat", [position.seat]), ("turn", [position.turn]), ("linked", position.linked)]
    rows += [(f"tokens {shown_key(id_)}", [int(token[-1]) for token in row]) for id_, row in (position.tokens or {}).items()]
    rows.append(("action partner", [getattr(position.action, "partner", None)]))
    rows += [(f"prestige_spaces {shown_key(id_)}", [seat]) for id_, seat in position.prestige_spaces.items()]
    for name, seats in rows:
        for seat in seats:
            if seat is not None and seat >= ruleset.players:
                yield f"{name}: {seat}; expected 0 to {ruleset.players - 1}"
