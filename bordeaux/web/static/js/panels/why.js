/** Why: what each of the orders is for. */

import { el } from "../dom.js";
import { percent, table } from "./numbers.js";

/** Standard errors from which on a loss is told. */
const SURE = 2;

/** Orders that work together, and the share of the result that is lost without them, if it is more than chance. */
function told({ orders, lost, doubt }) {
  return [orders.map((order) => order.replaceAll(" ", "\u00a0")).join("; "), lost > SURE * doubt ? percent(lost) : "–"];
}

/** The grounds of an answer: what would be lost without each order. */
export function why({ effects }) {
  return el(
    "div",
    { class: "why" },
    effects?.length
      ? table("What would be lost without the order", ["Order", "Score"], effects.map(told))
      : el("p", { class: "hint", text: "The reasons come with the end of the round." }),
  );
}
