"""A player that asks a language model for its orders, at any HTTP endpoint for chats in the common form.

The model sees the position and the legal orders. Its last complete set of orders counts, in whatever form it
comes. It is told once what was wrong. Units that it leaves without a legal order hold: nobody helps it.

    export CHAT_URL=http://127.0.0.1:8080/v1/chat/completions CHAT_MODEL=mine CHAT_KEY=secret
    bordeaux arena --players 'program:python examples/chat_player.py' --against dumbbot --games 7 --time 30
"""

import json
import os
import sys
import time
import urllib.request

from bordeaux import Position, legal_orders
from bordeaux.formats import AnsweredOrders, orders_in_answer


def ask(messages, seconds):
    """The model's answer to a list of messages."""
    body = {"model": os.environ.get("CHAT_MODEL", ""), "messages": messages}
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('CHAT_KEY')}"}
    request = urllib.request.Request(os.environ["CHAT_URL"], json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


def think(position, power, seconds):
    """The orders of the model; it has a second try if time is left."""
    legal = legal_orders(position, power)
    due = abs(position.adjustments(power)) if position.phase.kind == "A" else len(legal)
    listed = "\n".join(", ".join(orders) for orders in legal.values())
    wanted = f"End with a line ORDERS: and {due} of these, a line each:\n{listed}"
    messages = [{"role": "user", "content": f"You are {power} in Diplomacy.\n{position}\n{wanted}"}]
    found = AnsweredOrders([], ["no answer"])
    ends = time.monotonic() + seconds
    for part in (0.6, 1):
        try:
            said = ask(messages, max(0.1, part * (ends - time.monotonic())))
        except Exception as error:  # Whatever the endpoint does, there is an answer.
            print(f"no answer of the model: {error!r}", file=sys.stderr)
            break
        found = orders_in_answer(said, position, power)
        if not found.faults:
            break
        print(f"{power} {position.phase}: {'; '.join(found.faults)}", file=sys.stderr)
        wrong = "\n".join(["Not understood:", *found.faults, "Give all orders again, below ORDERS:"])
        messages += [{"role": "assistant", "content": said}, {"role": "user", "content": wrong}]
    return [str(order) for order in found.orders]


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "setup":
        print(json.dumps({"type": "ready"}), flush=True)
    elif told["type"] == "orders":
        seconds = 0.7 * (told["time"] or 60)
        orders = think(Position.from_json(told["position"]), told["power"], seconds)
        print(json.dumps({"type": "orders", "id": told["id"], "orders": orders}), flush=True)
