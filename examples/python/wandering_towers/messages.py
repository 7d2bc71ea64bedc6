"""What a server sends, as far as a bot needs it, and how a table is kept up to date."""

from __future__ import annotations

from typing import Any, TypedDict

PROTOCOL = 3
CHAT_LINES = 50

Json = dict[str, Any]


class Waiting(TypedDict):
    """The open decision."""

    decision: int
    seat: int
    by: Json
    since: int
    deadline: int | None


class _Game(TypedDict):
    view: Json
    waiting: Waiting | None


class Game(_Game, total=False):
    """A game as the player may see it. `legal` is there if the decision is the player's."""

    legal: list[str]
    optional: list[str]
    banks: list[int] | None


class Table(TypedDict):
    """A table as the player may see it."""

    table: str
    number: int
    at: int
    stage: str
    settings: Json
    host: int | None
    seats: list[Json]
    you: Json
    games: int
    commitment: str | None
    seed: str | None
    ending: Any
    game: Game | None
    chat: list[Json]


class _Update(TypedDict):
    now: int
    number: int
    at: int
    events: list[Json]


class Update(_Update, total=False):
    """An update: events, and the changes they made."""

    by: Any
    changed: Json
    view: Table


def apply(table: Json, update: Update) -> None:
    """Applies an update to the table in the state just before it."""
    if "view" in update:
        table.clear()
        table.update(update["view"])
    elif "changed" in update:
        _change_table(table, update["changed"])
    table["number"] = update["number"]
    table["at"] = update["at"]


def _change_table(table: Json, change: Json) -> None:
    for key, value in change.items():
        if key == "seats":
            _change_items(table["seats"], value)
        elif key == "chat":
            table["chat"] = (table["chat"] + value)[-CHAT_LINES:]
        elif key == "game":
            _change_game(table["game"], value)
        else:
            table[key] = value


def _change_game(game: Json, change: Json) -> None:
    if "waiting" in change:  # the decision as a whole: what is missing is empty
        game.pop("legal", None)
        game.pop("optional", None)
    for key, value in change.items():
        if key == "view":
            _change_view(game["view"], value)
        else:
            game[key] = value


def _change_view(view: Json, change: Json) -> None:
    for key, value in change.items():
        if key in ("spaces", "players"):
            _change_items(view[key], value)
        elif key == "turn":
            view["turn"].update(value)
        elif key == "discard" and "insert" in value:
            for index, card in value["insert"]:
                view["discard"].insert(index, card)
        elif key == "discard":
            view["discard"] = value["all"]
        else:
            view[key] = value


def _change_items(items: list[Any], change: list[tuple[int, Any]]) -> None:
    for index, item in change:
        items[index] = item
