/** Why: what the orders change in the terms of the evaluation, and what each of them is for. */

import { el } from "../dom.js";
import { change, percent, points, table } from "./numbers.js";

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
/** Standard errors from which on a loss is told. */
const SURE = 2;

function term(name) {
  return el("span", { text: name, title: TOLD[name] ?? null });
}

/** Orders that work together, and the share of the result that is lost without them, if it is more than chance. */
function told({ orders, lost, doubt }) {
  return [orders.map((order) => order.replaceAll(" ", "\u00a0")).join("; "), lost > SURE * doubt ? percent(lost) : "–"];
}

/** The grounds of an answer: what stands still is left out. */
export function why({ terms, effects }) {
  const moved = Object.entries(terms ?? {}).filter(([, [before, after]]) => Math.abs(after - before) >= LEAST);
  const rows = moved.map(([name, [before, after]]) => [term(name), points(before), points(after), change(after - before)]);
  return el(
    "div",
    { class: "why" },
    terms && Object.keys(terms).length
      ? table("What the orders change, in points of the hand-made evaluation", ["Term", "Now", "Then", "Change"], rows)
      : el("p", { class: "hint", text: "The reasons come with the end of the round." }),
    effects?.length
      ? table("What would be lost without the order", ["Order", "Score"], effects.map(told))
      : null,
  );
}
