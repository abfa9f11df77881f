"""A game at which people and agents sit: agents answer by themselves, people may take back, and it goes on from its record."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hansa_env.formats.errors import LONGEST_NAME, RecordError, printable, shown
from hansa_env.formats.moves import Move
from hansa_env.play.agents import Agent
from hansa_env.play.errors import AgentError
from hansa_env.play.game import Game
from hansa_env.play.loop import let_decide
from hansa_env.play.people import is_person
from hansa_env.play.registry import make_agent
from hansa_env.play.take_back import NotAgreed, has_to_agree, stands_after


class Session:
    """A game and who sits at it.

    Args:
        game: at its beginning or anywhere in the middle; it must have a beginning, so that decisions can be taken back.
        specs: by seat, of a person (`hansa_env.play.people`) or of an agent.
        seed: of the agents.

    Attributes:
        game: as it stands; after `undo` another object.
        agents: by seat, None for a person; seats of the same spec share one.

    Raises:
        AgentError: there are not as many specs as seats, or an agent cannot be made; factories may raise other ValueErrors.
        RecordError: the game has no beginning.
    """

    def __init__(self, game: Game, specs: Sequence[str], seed: int = 0) -> None:
        if not game.has_beginning:
            raise RecordError("a game that began from a position cannot be taken back")
        if len(specs) != game.ruleset.players:
            raise AgentError(f"{len(specs)} specs for {game.ruleset.players} seats; expected one per seat")
        for spec in specs:
            if len(spec) > LONGEST_NAME or printable(spec) != spec:
                expected = f"at most {LONGEST_NAME} characters, none of them a control character"
                raise AgentError(f"{shown(spec)} cannot be named in a record; expected {expected}")
        self.game, self.specs = game, list(specs)
        made = {spec: make_agent(spec, game.ruleset, seed) for spec in dict.fromkeys(specs) if not is_person(spec)}
        self.agents: list[Agent | None] = [made.get(spec) for spec in specs]
        self.game.agents = list(specs)

    @property
    def moves(self) -> list[Move]:
        """Every decision so far, with its turn and question."""
        return self.game.moves()

    @property
    def asked_person(self) -> int | None:
        """The seat of the person who is asked now; None where an agent is, or the game is over."""
        seat = self.game.seat
        return seat if seat is not None and self.agents[seat] is None else None

    def play(self, text: str) -> None:
        """Play the decision of the person who is asked. Raises IllegalAction; nothing has changed then."""
        self.game.play(text)

    def let_agent_decide(self) -> Move:
        """Play the decision of the agent who is asked.

        Raises:
            AgentFault: it raised, or its answer is none; nothing has changed. AgentError: no agent is asked.
        """
        seat = self.game.seat
        agent = None if seat is None else self.agents[seat]
        if agent is None:
            raise AgentError("no agent is asked")
        let_decide(self.game, agent)
        return self.moves[-1]

    def undo(self, agreed: Collection[int] = ()) -> Move | None:
        """Take back the last decision of a person and all of agents that followed; None if no person has decided yet.

        People at one keyboard take back each other's decisions, as they do at one screen of the table.

        Args:
            agreed: seats of other people who agree, which is asked for where something hidden has been seen since
                (`hansa_env.play.take_back`).

        Raises:
            NotAgreed: some of them have not; nothing has changed.
        """
        people, moves = self.people(), self.moves
        place = stands_after([move.seat for move in moves], people, people)
        if place is None:
            return None
        move, before = moves[place], self.game.rewound(place)
        missing = has_to_agree(before.state, self.game.state, people, move.seat) - set(agreed)
        if missing:
            raise NotAgreed(missing)
        self.game = before
        return move

    def people(self) -> list[int]:
        """The seats that people hold."""
        return [seat for seat, agent in enumerate(self.agents) if agent is None]
