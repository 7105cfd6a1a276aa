/** The opening book at each position: what is played, how often, how it fared, and where the game left it. */

import { attempt, get } from "../api.js";
import { button, el, titled } from "../dom.js";
import { store } from "../store.js";
import { follow } from "./follow.js";
import { SetLists } from "./lines.js";
import { many, percent } from "./numbers.js";
import { playedGames } from "./played.js";
import { powerChoice } from "./powers.js";

export const id = "book";
export const title = "Book";

/** Sets of a power that are shown before more are asked for. */
const FIRST = 5;

export function mount(element) {
  let told = null;
  const powers = powerChoice("Powers that are shown", () => {
    show();
    recorded.show();
  });
  const recorded = playedGames(powers);
  const note = el("div", { role: "status" });
  const lists = new SetLists("Book of", lineOf, { most: FIRST });
  element.append(el("div", { class: "row" }, powers.element), note, recorded.element, lists.element);

  function show(news = told) {
    told = news;
    const shown = lists.show(told?.powers ?? {}, powers.allows);
    note.replaceChildren(...(told ? notes(told, shown) : []));
  }

  follow(element, (path) => get(`${path}/book`), show, lists.element, note);
}

const lineOf = (entry) => ({
  orders: entry.orders,
  name: entry.name ?? "",
  figures: [
    [percent(entry.value), "score"],
    [percent(entry.weight), "weight"],
    [many(entry.games), "games"],
    [percent(entry.score), "result"],
  ],
});

function notes({ left, names = [], exact }, count) {
  const lines = [];
  if (names.length) lines.push(el("p", { text: names.map(pretty).join(" · ") }));
  if (left) {
    const who = left.powers.map(titled).join(", ");
    const text = who ? `The game left the book in ${left.phase}, by ${who}.` : `The book ends in ${left.phase}.`;
    const elsewhere = store.node.id !== left.node && store.branch(left.node);
    lines.push(el("p", {}, `${text} `, elsewhere && button("Go there", () => attempt(() => store.goto(left.node)), { class: "quiet" })));
  }
  if (!count) lines.push(el("p", { class: "hint", text: "This position is not in the book." }));
  else if (exact === false) lines.push(el("p", { class: "hint", text: "The book knows each power’s own units here, not the whole position." }));
  return lines;
}

/** "FRANCE: Burgundy Variation" as people write it. */
const pretty = (name) => name.replace(/^([A-Z]{3,}): /, (_, power) => `${titled(power)}: `);
