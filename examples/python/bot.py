#!/usr/bin/env python3
"""A bot of ten lines: opens a table, seats a bot of the server beside itself, plays anything legal."""

import asyncio, random, sys
from wandering_towers import Player, open_table

async def main(server: str) -> None:
    table, token = open_table(server, "Ten Lines", {"options": {"max_rounds": 12}})
    async with Player(server, table, token) as player:
        await player.do("sit", program=True)
        await player.do("add_bot", level="novice")
        await player.do("start")
        print(await player.play(lambda game: random.choice(game["legal"])))

asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080"))
