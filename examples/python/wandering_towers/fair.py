"""The dice of a game, derived again: see "The dice" in docs/protocol.md."""

from __future__ import annotations

import hashlib
import struct
from collections import Counter
from collections.abc import Iterable

from .messages import Json

# The cards by their notation, with the number of copies (R2.5).
DECK: dict[str, int] = {
    **dict.fromkeys(["t1", "t2", "t3", "t4", "t5", "w1", "w2", "w3", "w4", "w5"], 4),
    **dict.fromkeys(["w1t5", "w2t4", "w4t2", "w5t1", "w?t?"], 6),
    **dict.fromkeys(["w1t1", "w2t2", "w3t3", "w4t4", "t??", "w??"], 3),
    **dict.fromkeys(["t???", "w???"], 1),
}
SPELLS = ["AW", "AT", "SW", "HW", "HT", "NC", "PB", "FW"]


class Unfair(Exception):
    """What was promised before the game is not what came after it."""


def commitment_to_number(number: bytes) -> str:
    """What a device publishes before it reveals its number."""
    return hashlib.sha256(b"wandering-towers number\0" + number).hexdigest()


def seed_of_game(secret: bytes, devices: Iterable[Json]) -> bytes:
    """The seed, from the server's secret and the numbers of the devices."""
    text = b"wandering-towers seed\0" + secret
    for device in sorted(devices, key=lambda device: int(device["seat"])):
        if device.get("number"):
            text += bytes([device["seat"]]) + bytes.fromhex(device["number"])
    return hashlib.sha256(text).digest()


def check_seed(
    next_commitment: str,
    promised: dict[int, str],
    own: tuple[int, bytes] | None,
    devices: list[Json],
    secret: str,
    seed: str,
) -> None:
    """Compares the end of a game with what was noted before it: the server's `next_commitment`, the commitments of
    the devices by seat when this one revealed its number, and its own seat and number."""
    if hashlib.sha256(bytes.fromhex(secret)).hexdigest() != next_commitment:
        raise Unfair("the server has committed to another secret")
    for device in devices:
        number = device.get("number")
        if number and promised.get(device["seat"]) != commitment_to_number(bytes.fromhex(number)):
            raise Unfair(f"the device at seat {device['seat']} has committed to another number")
    used = {device["seat"]: device.get("number") for device in devices}
    if own is not None and used.get(own[0]) != own[1].hex():
        raise Unfair("the own number was not used")
    if seed_of_game(bytes.fromhex(secret), devices).hex() != seed:
        raise Unfair("the seed is another one")


class Dice:
    """The stream of a seed: ChaCha20 with the seed as key, nonce and counter zero."""

    def __init__(self, seed: bytes) -> None:
        self._key = struct.unpack("<8I", seed)
        self._counter = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """A number below n: the upper half of a 32-bit number times n, without those that would be unfair."""
        while True:
            wide = self._next() * n
            if wide % 2**32 >= 2**32 % n:
                return wide >> 32

    def _next(self) -> int:
        if not self._words:
            self._words = self._block()[::-1]
        return self._words.pop()

    def _block(self) -> list[int]:
        counter = (self._counter % 2**32, self._counter >> 32)
        start = [*struct.unpack("<4I", b"expand 32-byte k"), *self._key, *counter, 0, 0]
        self._counter += 1
        x = start.copy()

        def mix(a: int, b: int, c: int, d: int) -> None:
            for to, by, other, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[to] = (x[to] + x[by]) % 2**32
                bits = x[other] ^ x[to]
                x[other] = (bits << turn | bits >> (32 - turn)) % 2**32

        for _ in range(10):
            for i in range(4):
                mix(i, i + 4, i + 8, i + 12)
            for i in range(4):
                mix(i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12)
        return [(one + other) % 2**32 for one, other in zip(x, start)]


def check_chance(record: list[Json], seats: list[Json]) -> int:
    """Derives the dice of the last game of a record again, for two or more players without teams and reactions;
    returns how many outcomes of chance there were. `seats` is that of the view."""
    begins = max(i for i, entry in enumerate(record) if "seed" in entry)
    dice = Dice(bytes.fromhex(record[begins]["seed"]))
    colours: list[str] = [seat["colour"] for seat in seats]
    pile, hands, outcomes = Counter(DECK), {colour: Counter[str]() for colour in colours}, 0
    for entry in record[begins:]:
        command = entry["do"]
        if command["command"] == "act":
            _discard(command["action"], hands[_colour(entry["by"], seats)])
        for outcome in entry.get("chance", []):
            outcomes += 1
            if outcome == "shuffle":
                held: Counter[str] = sum(hands.values(), Counter())
                pile = Counter(DECK) - held
            elif _derive(outcome, dice, pile, colours) != outcome:
                raise Unfair(f"entry {entry['number']}: {outcome} does not follow from the seed")
            elif outcome.startswith("draw "):
                _, colour, card = outcome.split()
                pile[card] -= 1
                hands[colour][card] += 1
    return outcomes


def _colour(by: Json, seats: list[Json]) -> str:
    """The colour of the player who acted."""
    if "bot" in by:
        return str(seats[by["bot"]]["colour"])
    mine = [seat for seat in seats if seat["taken"].get("person") == by["person"]]
    return str(mine[0]["colour"])


def _discard(action: str, hand: Counter[str]) -> None:
    """Removes from a hand what an action puts on the discard pile."""
    if action.startswith("refresh"):
        hand.clear()
    elif (card := action.split(":")[0]) in DECK:
        hand[card] -= 1


def _derive(outcome: str, dice: Dice, pile: Counter[str], colours: list[str]) -> str:
    """The next outcome of the same kind."""
    kind, *rest = outcome.split()
    if kind == "draw":
        cards = sorted(pile.elements())
        return f"draw {rest[0]} {cards[dice.below(len(cards))]}"
    if kind == "roll":
        return f"roll {1 + dice.below(6)}"
    if kind == "start":
        return f"start {colours[dice.below(len(colours))]}"
    size = len(rest[0].split(","))
    sets = [bits for bits in range(256) if bits.bit_count() == size]
    chosen = sets[dice.below(len(sets))]
    return "spells " + ",".join(s for i, s in enumerate(SPELLS) if chosen >> i & 1)
