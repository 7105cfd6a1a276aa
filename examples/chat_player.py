"""A player that asks a language model for its orders, at any HTTP endpoint for chats in the common form.

The model sees the position and the legal orders. Legal ones in its answer count; the engine adds the rest.

    export CHAT_URL=http://127.0.0.1:8080/v1/chat/completions CHAT_MODEL=mine CHAT_KEY=secret
    bordeaux arena --players 'program:python examples/chat_player.py' --against dumbbot --games 7 --time 30
"""

import json
import os
import re
import sys
import urllib.request

from bordeaux import Engine, Position, legal_orders


def ask(text, seconds):
    """The model's answer."""
    body = {"model": os.environ.get("CHAT_MODEL", ""), "messages": [{"role": "user", "content": text}]}
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('CHAT_KEY')}"}
    request = urllib.request.Request(os.environ["CHAT_URL"], json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


def think(position, power, seconds):
    """The first legal order of the answer for each unit, and the engine's for the others."""
    legal = legal_orders(position, power)
    due = abs(position.adjustments(power)) if position.phase.kind == "A" else len(legal)
    listed = "\n".join(", ".join(orders) for orders in legal.values())
    lines = []
    try:
        text = (
            f"You are {power} in Diplomacy.\n{position}\nAnswer with {due} of these, a line each:\n{listed}"
        )
        said = ask(text, seconds)
        lines = [re.sub(r"^[\s*\d.)-]+|[\s.*]+$", "", line).upper() for line in said.splitlines()]
    except Exception as error:  # Whatever the endpoint does, there are orders.
        print(f"no orders of the model: {error!r}", file=sys.stderr)
    with Engine(map=position.map) as engine:
        lines += engine.search(position, power, nodes=500).orders
    chosen = {}
    for line in lines:
        place = next((place for place, orders in legal.items() if line in orders and line != "WAIVE"), None)
        if place is not None and len(chosen) < due:
            chosen.setdefault(place, line)
    return list(chosen.values())


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "setup":
        print(json.dumps({"type": "ready"}), flush=True)
    elif told["type"] == "orders":
        seconds = 0.7 * (told["time"] or 60)
        orders = think(Position.from_json(told["position"]), told["power"], seconds)
        print(json.dumps({"type": "orders", "id": told["id"], "orders": orders}), flush=True)
