#!/usr/bin/env python3
"""Plays a whole game of Wandering Towers against bots, with nothing but Python's standard library.

    python3 examples/python/play.py                          # against a server on this computer
    python3 examples/python/play.py --server http://host:8080 --bots 3 --level master
    python3 examples/python/play.py --table NAME             # join a table by its name in the link

Everything it does is described in docs/protocol.md. To write a bot of your own, change `choose`.
"""

import argparse
import base64
import json
import os
import random
import socket
import ssl
import struct
import sys
import urllib.request
from urllib.parse import urlsplit


def choose(game, dice):
    """Picks one of the legal actions. This is where a bot would think.

    `game["view"]` is the position as we may know it, `game["legal"]` what we may do now, each
    written in the notation of docs/notation.md.
    """
    legal = game["legal"]
    # Going home is always good: prefer wizard moves, then anything.
    wizards = [action for action in legal if ":w" in action]
    return dice.choice(wizards or legal)


class Socket:
    """A WebSocket client, as small as RFC 6455 allows."""

    def __init__(self, url):
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        stream = socket.create_connection((parts.hostname, port), timeout=60)
        if parts.scheme == "https":
            stream = ssl.create_default_context().wrap_socket(stream, server_hostname=parts.hostname)
        self.stream = stream
        key = base64.b64encode(os.urandom(16)).decode()
        request = (
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.hostname}:{port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        )
        stream.sendall(request.encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.split(b"\r\n")[0].decode())

    def _fill(self):
        data = self.stream.recv(65536)
        if not data:
            raise ConnectionError("the server has closed the connection")
        self.buffer += data

    def _take(self, count):
        while len(self.buffer) < count:
            self._fill()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def _send_frame(self, kind, data):
        head = bytes([0x80 | kind])
        if len(data) < 126:
            head += bytes([0x80 | len(data)])
        elif len(data) < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(data))
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", len(data))
        mask = os.urandom(4)  # clients have to mask what they send
        self.stream.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def send(self, message):
        self._send_frame(1, json.dumps(message).encode())

    def receive(self):
        """The next message of the server."""
        text = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._take(8))[0]
            data = self._take(size)
            kind = first & 0x0F
            if kind == 8:
                code = struct.unpack(">H", data[:2])[0] if len(data) >= 2 else 1005
                raise ConnectionError(f"closed by the server: {code} {data[2:].decode()}")
            if kind == 9:  # ping
                self._send_frame(10, data)
                continue
            if kind == 10:  # pong
                continue
            text += data
            if first & 0x80:
                return json.loads(text)


class Player:
    """Somebody at a table."""

    def __init__(self, server, table, token=None):
        self.socket = Socket(f"{server}/api/tables/{table}/socket")
        self.next_id = 1
        self.token = token
        hello = {"type": "hello"}
        if token:
            hello["token"] = token
        self.socket.send(hello)

    def do(self, command, **fields):
        """Asks for something; the answer comes as `accepted` or `rejected` with this number."""
        number = self.next_id
        self.next_id += 1
        self.socket.send({"type": "do", "id": number, "do": {"command": command, **fields}})
        return number

    def ask(self, command, **fields):
        """Asks for something and waits for the answer."""
        number = self.do(command, **fields)
        while True:
            message = self.socket.receive()
            if message.get("id") == number:
                return message


def post(url, body):
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def play(player, dice, quiet):
    """Plays until the game is over; answers with how it ended."""
    player.socket.send({"type": "view"})
    answered = None
    while True:
        message = player.socket.receive()
        kind = message["type"]
        if kind == "rejected" and message["code"] != "stale":
            raise RuntimeError(f"refused: {message}")
        if kind == "view" and message["stage"] == "over":
            return message["ending"]
        if kind == "happened":
            for event in message["events"]:
                if event["event"] == "game_over":
                    return event["ending"]
        game = message.get("game") if kind in ("view", "happened") else None
        if not game or not game.get("legal"):
            continue
        decision = game["waiting"]["decision"]
        if decision == answered:
            continue
        answered = decision
        action = choose(game, dice)
        if not quiet:
            print(f"decision {decision}: {action}")
        player.do("act", action=action, decision=decision)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--server", default="http://localhost:8080")
    arguments.add_argument("--table", help="join this table instead of opening one")
    arguments.add_argument("--name", default="Python")
    arguments.add_argument("--bots", type=int, default=1)
    arguments.add_argument("--level", default="apprentice")
    arguments.add_argument("--seed", type=int, help="for choices that can be repeated")
    arguments.add_argument("--settings", type=json.loads, default={}, help="as JSON")
    arguments.add_argument("--quiet", action="store_true")
    options = arguments.parse_args()
    dice = random.Random(options.seed)
    server = options.server.rstrip("/")

    if options.table:
        player = Player(server, options.table)
        print(player.ask("sit", name=options.name)["type"])
    else:
        settings = {"seats": 1 + options.bots, **options.settings}
        opened = post(f"{server}/api/tables", {"name": options.name, "settings": settings})
        print(f"table: {server}{opened['path']}")
        player = Player(server, opened["table"], opened["token"])
        player.ask("sit")
        for _ in range(options.bots):
            player.ask("add_bot", level=options.level)
        answer = player.ask("start")
        if answer["type"] != "accepted":
            sys.exit(answer["message"])
    ending = play(player, dice, options.quiet)
    print("the game is over:", json.dumps(ending))


if __name__ == "__main__":
    main()
