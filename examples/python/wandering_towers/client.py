"""A player at a table: pacing, resending and resuming are done here."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from types import TracebackType
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from .messages import PROTOCOL, Game, Json, Table, Update, apply

# Close codes after which connecting again does not help.
FINAL = {1002, 1007, 1009, 4000, 4003, 4004, 4010, 4022, 4026}
# Refusals after which the same command may be accepted a little later.
LATER = {"busy", "not_stored"}
# Messages a second, a little less than a server allows a person by default.
PACE = 18.0
BURST = 30.0
# How long to try to connect, or to have something stored, in seconds.
PATIENCE = 60.0


class Refused(Exception):
    """A command was refused. `code` is for programs."""

    def __init__(self, answer: Json) -> None:
        super().__init__(answer.get("message", answer["code"]))
        self.code: str = answer["code"]
        self.clause: str | None = answer.get("clause")
        self.retry_after: int | None = answer.get("retry_after")


class Closed(Exception):
    """The server has closed the connection for good."""


def open_table(server: str, name: str, settings: Json | None = None) -> tuple[str, str]:
    """Opens a table: its name, and the token of its host."""
    body = json.dumps({"name": name, "settings": settings or {}}).encode()
    request = urllib.request.Request(
        f"{server.rstrip('/')}/api/tables", body, {"Content-Type": "application/json"}
    )
    while True:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                opened = json.load(answer)
            return opened["table"], opened["token"]
        except urllib.error.HTTPError as error:
            wait = error.headers.get("Retry-After")
            if error.code != 429 or wait is None or int(wait) > PATIENCE:
                raise
            time.sleep(int(wait))


class Player:
    """Somebody at a table. Use it in `async with`."""

    def __init__(
        self, server: str, table: str, token: str | None = None, *, pace: float | None = PACE
    ) -> None:
        base = server.rstrip("/").replace("http", "ws", 1)
        self._url = f"{base}/api/tables/{table}/socket"
        self._socket: ClientConnection | None = None
        self._pace = pace
        self._budget = BURST
        self._paid = time.monotonic()
        self._next_id = 1
        self.token = token
        # The table as it is now; `None` before the first view.
        self.table: Table | None = None

    async def __aenter__(self) -> Player:
        await self._connect()
        while self.table is None:
            await self.next()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._socket is not None:
            await self._socket.close()

    @property
    def game(self) -> Game | None:
        """The game as it is now."""
        return self.table["game"] if self.table else None

    async def next(self) -> Json:
        """The next message of the server; the table is up to date with it. Connects again if needed."""
        while True:
            assert self._socket is not None
            try:
                message: Json = json.loads(await self._socket.recv())
            except ConnectionClosed as closed:
                self._check(closed)
                await self._connect()
                continue
            self._take_in(message)
            return message

    async def do(self, command: str, **fields: Any) -> Json:
        """Sends a command and waits until it is carried out. Waits and sends again if it was too much
        at once. After a lost connection an action is sent again: one that names its decision is never
        carried out twice. Anything else is sent again as well, and may be refused then."""
        until = time.monotonic() + PATIENCE
        while True:
            number = self._next_id
            self._next_id += 1
            await self._send({"type": "do", "id": number, "do": {"command": command, **fields}})
            try:
                return await self._answer(number)
            except Refused as refused:
                if refused.retry_after is not None:
                    await asyncio.sleep(refused.retry_after / 1000)
                elif refused.code in LATER and time.monotonic() < until:
                    await asyncio.sleep(1)
                else:
                    raise
            except ConnectionClosed as closed:
                self._check(closed)
                await self._connect()
                if await self._is_over(fields.get("decision")):
                    return {"type": "accepted"}

    async def play(self, choose: Callable[[Game], str]) -> Any:
        """Plays until the game is over; returns how it ended. `choose` picks one of `game["legal"]`. If it took too
        long and a bot of the server plays instead, the seat is taken back."""
        answered: tuple[int, int] | None = None
        while True:
            table = self.table
            assert table is not None
            if table["stage"] == "over":
                return table["ending"]
            if self._is_replaced():
                try:
                    await self.do("back")
                except Refused as refused:
                    # The bot has made its one move already.
                    if refused.code not in ("not_gone", "no_game"):
                        raise
                    await self.next()
                continue
            game = table["game"]
            waiting = game["waiting"] if game else None
            if game and waiting and game.get("legal"):
                decision = (table["games"], waiting["decision"])
                if decision != answered:
                    answered = decision
                    try:
                        await self.do("act", action=choose(game), decision=decision[1])
                    except Refused as refused:
                        # Something else happened first: the table says what is open now.
                        if refused.code not in ("stale", "bot_plays", "no_game"):
                            raise
                    continue
            await self.next()

    def _is_replaced(self) -> bool:
        """Whether a bot of the server plays at the own seat."""
        table = self.table
        seat = table["you"]["seat"] if table and table["stage"] == "playing" else None
        return table is not None and seat is not None and table["seats"][seat]["stand_in"] is not None

    async def _answer(self, number: int) -> Json:
        assert self._socket is not None
        while True:
            message: Json = json.loads(await self._socket.recv())
            self._take_in(message)
            if message.get("id") == number:
                if message["type"] == "rejected":
                    raise Refused(message)
                return message

    async def _is_over(self, decision: int | None) -> bool:
        """Whether a decision was answered while the connection was lost."""
        while True:  # a whole view follows every welcome
            message = await self.next()
            if message["type"] == "view" or "view" in message:
                break
        waiting = self.game["waiting"] if self.game else None
        return decision is not None and (waiting is None or waiting["decision"] != decision)

    def _take_in(self, message: Json) -> None:
        kind = message["type"]
        if kind == "welcome":
            self.token = message.get("token", self.token)
        elif kind == "view":
            table = {key: message[key] for key in message if key not in ("type", "now")}
            self.table = table  # type: ignore[assignment]
        elif kind == "happened":
            self._update(message)  # type: ignore[arg-type]
        elif kind == "accepted" and "happened" in message:
            self._update(message["happened"])

    def _update(self, update: Update) -> None:
        if self.table is not None and update["number"] > self.table["number"]:
            apply(self.table, update)  # type: ignore[arg-type]

    async def _send(self, message: Json) -> None:
        await self._wait()
        while True:
            assert self._socket is not None
            try:
                return await self._socket.send(json.dumps(message))
            except ConnectionClosed as closed:
                self._check(closed)
                await self._connect()

    async def _wait(self) -> None:
        """Waits as required by the server's rate limit."""
        if self._pace is None:
            return
        now = time.monotonic()
        self._budget = min(BURST, self._budget + (now - self._paid) * self._pace)
        self._paid = now
        self._budget -= 1
        if self._budget < 0:
            await asyncio.sleep(-self._budget / self._pace)

    async def _connect(self) -> None:
        """Connects, and resumes after the last received update."""
        until, pause = time.monotonic() + PATIENCE, 0.2
        while True:
            try:
                self._socket = await connect(self._url, max_size=None)
                hello: Json = {"type": "hello", "protocol": PROTOCOL}
                if self.token:
                    hello["token"] = self.token
                if self.table:
                    hello["seen"] = self.table["number"]
                await self._hello(hello)
                return
            except (OSError, InvalidHandshake, ConnectionClosed) as error:
                if isinstance(error, ConnectionClosed):
                    self._check(error)
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(pause)
                pause = min(5.0, pause * 2)

    async def _hello(self, hello: Json) -> None:
        """Says hello until the server says welcome."""
        assert self._socket is not None
        await self._socket.send(json.dumps(hello))
        while True:
            message: Json = json.loads(await self._socket.recv())
            if message["type"] == "welcome":
                return self._take_in(message)
            if "retry_after" in message:
                await asyncio.sleep(message["retry_after"] / 1000)
                await self._socket.send(json.dumps(hello))

    @staticmethod
    def _check(closed: ConnectionClosed) -> None:
        """Whether connecting again makes sense."""
        if closed.rcvd is not None and closed.rcvd.code in FINAL:
            raise Closed(f"{closed.rcvd.code} {closed.rcvd.reason}") from closed
