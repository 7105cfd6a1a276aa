/** Why: what the orders change in the terms of the evaluation, and what each of them is for. */

import { el } from "../dom.js";
import { change, points } from "./numbers.js";
import { table } from "./tables.js";

/** What the terms of the shipped evaluations count; others show their name alone. */
const TOLD = {
  control: "what its units and homes hold sway over, by how much each province is worth",
  owned: "centres owned",
  occupied: "centres of others that it stands in",
  pressure: "its units beside provinces that others occupy",
  gravity: "its units drawn towards what it does not hold",
  danger: "own centres at risk",
  losses: "own units dislodged",
  victory: "more than half of all centres",
  goals: "regional goals",
  stalemate: "centres behind a stalemate line",
  rivals: "how near the strongest other power is to winning",
};
/** Points: what moves less has not moved. */
const LEAST = 0.5;

function term(name) {
  return el("span", { text: name, title: TOLD[name] ?? null });
}

/** The grounds of an answer: what stands still is left out. */
export function why({ terms, marginals }) {
  const moved = Object.entries(terms ?? {}).filter(([, [before, after]]) => Math.abs(after - before) >= LEAST);
  const sum = (side) => Object.values(terms ?? {}).reduce((total, pair) => total + pair[side], 0);
  const rows = moved.map(([name, [before, after]]) => [term(name), points(before), points(after), change(after - before)]);
  const all = [sum(0), sum(1)];
  const worth = Object.entries(marginals ?? {}).sort(([, one], [, other]) => other - one);
  return el(
    "div",
    { class: "why" },
    terms && Object.keys(terms).length
      ? table(
          "What the orders change, in points",
          ["Term", "Now", "Then", "Change"],
          [...rows, ["All", points(all[0]), points(all[1]), change(all[1] - all[0])]],
          "terms",
        )
      : el("p", { class: "hint", text: "The grounds come when the round is over." }),
    worth.length
      ? table("What would be lost without the order", ["Order", "Points"], worth.map(([order, lost]) => [order, points(lost)]))
      : null,
  );
}
