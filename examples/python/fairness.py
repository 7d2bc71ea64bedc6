#!/usr/bin/env python3
"""Two players who contribute to the dice of a game and check them when it is over, trusting nobody.

    python3 fairness.py http://localhost:8080
"""

from __future__ import annotations

import asyncio
import copy
import json
import random
import secrets
import sys
import urllib.request
from collections.abc import Callable
from typing import Any

from wandering_towers import Game, Player, open_table
from wandering_towers.fair import Unfair, check_chance, check_seed, commitment_to_number


class FairPlayer:
    """A player who notes what was promised before the game."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.number = secrets.token_bytes(32)
        self.next_commitment = ""
        self.promised: dict[int, str] = {}

    @property
    def table(self) -> dict[str, Any]:
        assert self.player.table is not None
        return dict(self.player.table)

    async def commit(self) -> None:
        """Before the game: notes what the server promises, and promises a number."""
        self.next_commitment = self.table["next_commitment"]
        await self.player.do("commit", commitment=commitment_to_number(self.number))

    async def reveal(self) -> None:
        """After the start: notes what all devices have promised, before telling the number."""
        while not self.table.get("draw"):
            await self.player.next()
        seats = enumerate(self.table["seats"])
        self.promised = {i: seat["commitment"] for i, seat in seats if seat.get("commitment")}
        await self.player.do("reveal", number=self.number.hex())
        while self.player.game is None:
            await self.player.next()

    def check(self, end: dict[str, Any]) -> None:
        """After the game: whether it is what was promised."""
        own = (end["you"]["seat"], self.number)
        check_seed(self.next_commitment, self.promised, own, end["devices"], end["secret"], end["seed"])


def choose(game: Game) -> str:
    return random.choice(game["legal"])


def lies(table: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What a server might say instead of the truth."""
    told: dict[str, dict[str, Any]] = {}

    def lie(name: str, change: Callable[[dict[str, Any]], None]) -> None:
        told[name] = copy.deepcopy(table)
        change(told[name])

    other = secrets.token_bytes(32)
    lie("another secret", lambda t: t.update(secret=other.hex()))
    lie("another seed", lambda t: t.update(seed=other.hex()))
    for device in table["devices"]:
        seat = device["seat"]
        chosen = {"seat": seat, "number": other.hex(), "commitment": commitment_to_number(other)}
        lie(f"another number at seat {seat}", lambda t, i=seat, c=chosen: t["devices"].__setitem__(i, c))  # type: ignore[misc]
    return told


def with_another_card(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries of a record, with a change to the last card drawn."""
    entries = copy.deepcopy(entries)
    chance = next(e["chance"] for e in reversed(entries) if "draw" in str(e.get("chance")))
    last = max(i for i, outcome in enumerate(chance) if outcome.startswith("draw"))
    _, colour, card = chance[last].split()
    chance[last] = f"draw {colour} {'t2' if card == 't1' else 't1'}"
    return entries


def read_record(server: str, table: str) -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{server}/api/tables/{table}/record", timeout=60) as answer:
        return [json.loads(line) for line in answer.read().decode().splitlines()]


def is_refused(check: Callable[[], object]) -> bool:
    try:
        check()
    except Unfair:
        return True
    return False


async def main(server: str) -> None:
    server = server.rstrip("/")
    table, token = open_table(server, "Ann", {"spells": {"random": 3}, "start": "random", "options": {"max_rounds": 40}})
    async with Player(server, table, token) as ann, Player(server, table) as ben:
        players = [FairPlayer(ann), FairPlayer(ben)]
        await ann.do("sit", program=True)
        await ben.do("sit", name="Ben", program=True)
        for player in players:
            await player.commit()
        await ann.do("start")
        await asyncio.gather(*(player.reveal() for player in players))
        await asyncio.gather(ann.play(choose), ben.play(choose))
        header, *entries = read_record(server, table)
        seats = players[0].table["seats"]
        noticed = 0
        for player in players:
            player.check(player.table)
            assert header["commitment"] == player.next_commitment
            for name, lie in lies(player.table).items():
                assert is_refused(lambda: player.check(lie)), f"not noticed: {name}"
                noticed += 1
        outcomes = check_chance(entries, seats)
        assert is_refused(lambda: check_chance(with_another_card(entries), seats))
        print(f"fair: {outcomes} cards and rolls follow from the numbers of {len(players)} devices")
        print(f"{noticed} lies about the seed and one about a card would be noticed")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080"))
