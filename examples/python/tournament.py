#!/usr/bin/env python3
"""Plays games in every mode, as fast as the server answers, and fails if one of them stalls.

    python3 tournament.py http://localhost:8080 --games 100
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from typing import Any

from wandering_towers import Game, Player, Refused, open_table

SHORT = {"max_rounds": 4}
MODES: dict[str, tuple[int, dict[str, Any]]] = {
    "versus": (2, {"seats": 2, "options": SHORT}),
    "teams": (4, {"seats": 4, "options": {"teams": True, **SHORT}}),
    "reactions": (3, {"seats": 3, "options": {"reactions": True, **SHORT}}),
    "solo": (1, {"seats": 1, "options": {"mode": "solo", **SHORT}}),
    "coop": (2, {"seats": 2, "options": {"mode": "coop", **SHORT}}),
}


def choose(game: Game) -> str:
    return random.choice(game["legal"])


async def play(server: str, mode: str, number: int, pace: bool) -> str:
    """One game with every seat taken by a program of this kind."""
    people, settings = MODES[mode]
    opened = await asyncio.to_thread(open_table, server, "Bot 0", settings)
    table, token = opened
    limit = {} if pace else {"pace": None}
    async with Player(server, table, token, **limit) as host:
        await host.do("sit", program=True)
        guests = [Player(server, table, **limit) for _ in range(people - 1)]
        for i, guest in enumerate(guests, start=1):
            await guest.__aenter__()
            await guest.do("sit", name=f"Bot {i}", program=True)
        try:
            await host.do("start")
        except Refused:
            # A connection was lost before the answer came, and it was sent again.
            if host.game is None:
                raise
        for guest in guests:
            while guest.game is None:
                await guest.next()
        endings = await asyncio.gather(*(p.play(choose) for p in [host, *guests]))
        for guest in guests:
            await guest.__aexit__(None, None, None)
    assert all(ending == endings[0] for ending in endings), endings
    return f"{mode} {number}: {endings[0]}"


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("server", nargs="?", default="http://localhost:8080")
    arguments.add_argument("--games", type=int, default=100)
    arguments.add_argument("--at-once", type=int, default=5)
    arguments.add_argument("--stall", type=float, default=60, help="seconds a game may take")
    arguments.add_argument("--pace", action="store_true", help="keep to the usual limit of messages")
    options = arguments.parse_args()
    modes, places, begun = list(MODES), asyncio.Semaphore(options.at_once), time.monotonic()

    async def one(number: int) -> None:
        async with places:
            mode = modes[number % len(modes)]
            game = play(options.server, mode, number, options.pace)
            print(await asyncio.wait_for(game, options.stall))

    await asyncio.gather(*(one(number) for number in range(options.games)))
    print(f"{options.games} games without a stall in {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    asyncio.run(main())
