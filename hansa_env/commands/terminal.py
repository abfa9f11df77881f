"""A table in the terminal: shows the game, asks people, and does what they say."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from hansa_env.commands.advice import Advice
from hansa_env.commands.board import MOST_WIDTH, board_as_map, board_as_text, board_that_fits
from hansa_env.commands.input import Input, Left
from hansa_env.commands.kept_game import Kept
from hansa_env.commands.output import print_game, print_wrapped, take_back_lines, terminal_width
from hansa_env.formats.missions import NOBODY, cards_seen
from hansa_env.formats.moves import turns_of
from hansa_env.play.people import person_name
from hansa_env.play.session import Session
from hansa_env.play.take_back import NotAgreed
from hansa_env.render.choices import Choice, choices_as_text, choices_meant, choices_of, kinds_as_text, words_of
from hansa_env.render.scene_parts import KINDS
from hansa_env.render.words import asked_to, decision_told_alone, name_in_words, number_of, turn_in_words

HELP = "A decision: its number in the list, or the beginnings of some of its words: `place trader stade`, `cl ha lu`, `done`."
#: What else can be said, and what it does.
COMMANDS = {
    "list": "every decision; `list WORDS` only those with these words",
    "board": "the board in letters: desks, routes, cities",
    "map": "the board as a map, with the desks",
    "scores": "points as the board stands",
    "card": "the mission card of whoever decides",
    "hint [AGENT]": "what an agent would do here, and what it expects: `hint`, `hint greedy`",
    "undo": "take back the last decision by a person, and what agents did after it; where something hidden was seen since, the "
    "other people are asked first",
    "save [FILE]": "keep the game in this file from now on; without a name, say where it is kept",
    "quit": "stop; the game is saved and you can resume it",
}
#: Decisions that are listed when several are meant.
MOST_MEANT = 12
#: From so many on, first the kinds of decisions are listed, then those of one kind.
MOST_AT_ONCE = 20
TWO_STEPS = "  Say a kind, such as `place trader`, or all of it: `place trader stade`; `list` shows everything."
HIDES = "Enter hides it. "


class TerminalTable:
    """People and agents at one game, in a terminal or through a pipe.

    Args:
        session: the game and who sits at it.
        kept: where it is written after every decision of a person.
        hints: the spec of the agent that `hint` asks.
    """

    def __init__(self, session: Session, kept: Kept, hints: str) -> None:
        self.session, self.kept, self.hints = session, kept, hints
        self.ruleset = session.game.ruleset
        #: Whose mission card the board shows: of several people who share the terminal nobody's.
        self.viewer = session.people()[0] if len(session.people()) == 1 else NOBODY
        self.width = min(terminal_width(), MOST_WIDTH)
        self.told = dict.fromkeys(session.people(), max(0, len(session.moves) - 2 * self.ruleset.players))
        self.shown_turn: tuple[int, int] | None = None
        self.advice = Advice(self.ruleset)
        self.console = Console(highlight=False, soft_wrap=True)
        self.input = Input()

    def play(self) -> None:
        """Until somebody quits or the input ends. Raises AgentFault; KeyboardInterrupt."""
        sitting = ", ".join(map(self._who_sits, range(self.ruleset.players)))
        print_wrapped(f"{self.ruleset}: {sitting}. Say `help` for what can be said.")
        print()
        try:
            while True:
                self._let_agents_decide()
                self._show()
                while not self._do(self.input.ask()):
                    pass
        except Left:
            return

    def _let_agents_decide(self) -> None:
        session = self.session
        if session.game.over or session.asked_person is not None:
            return
        with self.console.status("") as status:
            while session.game.seat is not None and session.asked_person is None:
                status.update(f"{self._who(session.game.seat)} decides ...")
                session.let_agent_decide()
        if self.kept.written:
            self._keep()

    # What is shown.

    def _show(self) -> None:
        """What happened since this person decided last, and then the question, with the board where it has changed."""
        game, seat = self.session.game, self.session.asked_person
        self._tell(seat)
        if seat is None:
            print_game(game, "undo, save FILE or quit", self.viewer)
            return
        moment = (int(game.state["turns"]), seat)
        if moment != self.shown_turn:
            print(f"{board_that_fits(game, self.viewer)}\n")
        self.shown_turn = moment
        self._show_question()

    def _tell(self, seat: int | None) -> None:
        """The decisions of others since the person at a seat decided last, at the end of the game since anybody did."""
        moves = self.session.game.told_moves()
        since = self.told[seat] if seat is not None else max(self.told.values())
        fresh = moves[min(since, len(moves)) :]
        names = [self._who(seat) for seat in range(self.ruleset.players)]
        for turn in turns_of(fresh):
            print_wrapped(turn_in_words(self.ruleset, fresh, turn, names))
        if fresh:
            print()
        for person in self.told if seat is None else (seat,):
            self.told[person] = len(moves)

    def _show_question(self, shown: list[Choice] | None = None) -> None:
        """With the decisions shown; by default all, or only their kinds where there are many."""
        game = self.session.game
        position = game.state
        assert game.seat is not None
        name = self._name(game.seat)
        parts = [f"Seat {game.seat}" + (", you" if len(self.told) == 1 else f" ({name})" if name else "")]
        if position["turn"] == game.seat:
            left = int(position["actions_left"])
            parts.append(f"{number_of(left, 'action')} left")
        else:
            parts.append(f"in the turn of {self._who_sits(int(position['turn']))}")
        if position["route"] >= 0:
            parts.append(name_in_words(self.ruleset, self.ruleset.board_data.lanes[position["route"]].id))
        if position["city"] >= 0:
            parts.append(self.ruleset.board_data.cities[position["city"]].name)
        seen = game.position()
        hand = seen["hand"]
        if hand and any(text.startswith("put ") for text in seen["legal"]):
            counts = [(sum(piece.endswith(kind[0]) for piece in hand), kind) for kind in KINDS]
            parts.append(f"to put down: {' and '.join(number_of(count, kind) for count, kind in counts if count)}")
        asked = asked_to(seen)
        print(f"{'; '.join(parts)}. {asked[0].upper()}{asked[1:]}:")
        choices = shown or choices_of(self.ruleset, position)
        if shown is None and len(choices) > MOST_AT_ONCE:
            print(kinds_as_text(choices))
            print_wrapped(TWO_STEPS)
        else:
            print(choices_as_text(choices, self.width))

    def _who(self, seat: int | None) -> str:
        assert seat is not None
        return self._name(seat) or f"seat {seat}"

    def _who_sits(self, seat: int) -> str:
        """Who plays, with the seat."""
        name = self._name(seat)
        return f"{name} (seat {seat})" if name else f"seat {seat}"

    def _name(self, seat: int) -> str:
        """Who plays by name, "" for one of several people without."""
        return person_name(self.session.specs[seat]) or ("you" if len(self.told) == 1 else "")

    # What is said.

    def _do(self, said: str) -> bool:
        """Do what was said; whether the game is to be looked at anew. Raises Left."""
        command, _, rest = said.partition(" ")
        action = {
            "help": self._help, "?": self._help, "list": self._list, "board": self._board, "map": self._map,
            "scores": self._scores, "card": self._card, "hint": self._hint, "undo": self._undo, "save": self._save,
        }.get(command.lower())  # fmt: skip
        if command.lower() in ("quit", "exit", "q"):
            raise Left
        if action is not None:
            return bool(action(rest.strip()))
        return bool(said) and self._decide(said)

    def _decide(self, said: str) -> bool:
        game = self.session.game
        if game.over:
            print("The game is over: undo, save FILE or quit.")
            self.input.note(said)
            return False
        choices = choices_of(self.ruleset, game.state)
        meant = choices_meant(choices, said)
        if len(meant) != 1:
            self._say_unclear(said, choices, meant)
            self.input.note(said)
            return False
        seat = game.seat
        assert seat is not None
        self.session.play(meant[0].text)
        print(f"= {meant[0].order}\n")
        self.told[seat] = len(self.session.moves)
        self._keep()
        return True

    def _say_unclear(self, said: str, choices: list[Choice], meant: list[Choice]) -> None:
        if said.isdecimal():
            print(f"There is no decision {said}; the numbers go from 1 to {len(choices)}.")
        elif not meant:
            unknown = [word for word in sorted(words_of(said)) if not choices_meant(choices, word)]
            which = f"has {' or '.join(map(repr, unknown))}" if unknown else "has all of these words"
            print(f"No decision here {which}. `list` shows them, `help` what else there is.")
        else:
            print(f"{said!r} may be {len(meant)} decisions:")
            of_a_kind = len({choice.heading for choice in meant}) == 1
            print(choices_as_text(meant if of_a_kind else meant[:MOST_MEANT], self.width))
            if len(meant) > MOST_MEANT and not of_a_kind:
                print(f"  ... and {len(meant) - MOST_MEANT} more")

    def _help(self, _: str) -> None:
        print_wrapped(HELP)
        for command, what in COMMANDS.items():
            print_wrapped(f"  {command:12}  {what}", 16)

    def _list(self, words: str) -> None:
        game = self.session.game
        if game.over:
            return
        choices = choices_of(self.ruleset, game.state)
        meant = choices_meant(choices, words) if words else choices
        if meant:
            self._show_question(meant)
        else:
            self._say_unclear(words, choices, meant)

    def _board(self, _: str) -> None:
        print(f"{board_as_text(self.session.game, self.viewer)}\n")

    def _map(self, _: str) -> None:
        try:
            print(f"{board_as_map(self.session.game, self.viewer)}\n")
        except ValueError as error:
            print(error)

    def _scores(self, _: str) -> None:
        print_game(self.session.game, "as the board stands", self.viewer)

    def _card(self, _: str) -> None:
        """The mission card of whoever is asked. At a keyboard of several people it goes from the terminal again."""
        game = self.session.game
        if not self.ruleset.missions:
            print("This game has no mission cards.")
            return
        if game.seat is None:
            print("The game is over, so all cards are seen: `board` shows them.")
            return
        card = cards_seen(self.ruleset, game.state, game.seat)[game.seat]
        assert card is not None
        line = f"Mission of {self._who_sits(game.seat)}: {', '.join(name_in_words(self.ruleset, city) for city in card)}"
        print(line)
        if len(self.told) > 1 and self.console.is_terminal and sys.stdin.isatty():
            said = ""
            try:
                with suppress(EOFError):
                    said = input(HIDES)
            finally:  # also where somebody stops here
                take_back_lines(line, HIDES + said)

    def _hint(self, spec: str) -> None:
        game = self.session.game
        if game.over:
            return
        try:
            lines = self.advice.lines(game, spec or self.hints)
        except ValueError as error:
            lines = [f"No hint: {error}"]
        print("\n".join(lines))

    def _undo(self, _: str) -> bool:
        moves = self.session.game.told_moves()
        try:
            move = self.session.undo()
        except NotAgreed as wanted:
            if not all(map(self._agrees, sorted(wanted.seats))):
                print("It stands.")
                return False
            move = self.session.undo(wanted.seats)
        if move is None:
            print("There is nothing to take back: no person has decided yet.")
            return False
        print(f"Taken back: {decision_told_alone(self.ruleset, moves, len(self.session.moves))}\n")
        self.told = {seat: min(place, len(self.session.moves)) for seat, place in self.told.items()}
        self.shown_turn = None
        self._keep()
        return True

    def _agrees(self, seat: int) -> bool:
        """Whether a person agrees that something is taken back after which something hidden was seen."""
        print(f"What was hidden has been seen since. Does {self._who_sits(seat)} agree? yes or no")
        return self.input.ask().lower() in ("y", "yes")

    def _keep(self) -> None:
        """Keep the game; where that fails the game goes on, and whoever plays can name another file."""
        try:
            self.kept.keep(self.session.game)
        except OSError as error:
            print(f"Not kept: {error}. `save FILE` keeps the game elsewhere.\n")

    def _save(self, name: str) -> None:
        try:
            if name:
                self.kept.move(Path(name).expanduser(), self.session.game)
            else:
                self.kept.keep(self.session.game)
        except (OSError, RuntimeError, ValueError) as error:  # nobody's home folder; no name of a file
            print(f"Not saved: {error}")
            return
        print(f"The game is kept in {self.kept.path}, with every decision from now on.")
