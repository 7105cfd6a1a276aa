/** The opening book at each position: what is played, how often, how it fared, and where the game left it. */

import { attempt, get } from "../api.js";
import { button, el, titled } from "../dom.js";
import { store } from "../store.js";
import { fault, follow, waiting } from "./follow.js";
import { keyed } from "./keyed.js";
import { keyOf, lineButton, markLines, setLine } from "./lines.js";
import { many, percent } from "./numbers.js";
import { playedGames } from "./played.js";
import { powerChoice, powerName } from "./powers.js";

export const id = "book";
export const title = "Book";

/** Sets of a power that are shown before more are asked for. */
const FIRST = 5;

export function mount(element) {
  let told = null;
  const whole = new Set();
  const powers = powerChoice("Powers that are shown", () => {
    show();
    recorded.show();
  });
  const recorded = playedGames(powers);
  const note = el("div", { role: "status" });
  const lists = el("div", { class: "answers" });
  element.classList.add("book");
  element.append(el("div", { class: "row" }, powers.element), note, recorded.element, lists);
  markLines(element);

  function show() {
    const shown = Object.entries(told?.powers ?? {}).filter(([power]) => powers.allows(power));
    keyed(lists, shown, ([power]) => `${store.study.id} ${power}`, ([power]) => section(power), fillSection);
    note.replaceChildren(...(told ? notes(told, shown.length) : []));
  }

  function section(power) {
    return el(
      "div",
      { class: "answer", role: "group", "aria-label": titled(power) },
      el("header", {}, powerName(power)),
      el("ol", { class: "answer-lines", "aria-label": `Book of ${titled(power)}` }),
      button("", () => {
        whole.add(power);
        show();
      }, { class: "quiet" }),
    );
  }

  function fillSection(block, [power, entries]) {
    const sets = whole.has(power) ? entries : entries.slice(0, FIRST);
    keyed(block.querySelector("ol"), sets, keyOf, () => el("li", {}, lineButton(power)), (item, entry) => {
      setLine(item.firstElementChild, {
        orders: entry.orders,
        name: entry.name ?? "",
        figures: [
          [percent(entry.weight), "weight"],
          [many(entry.games), "games"],
          [percent(entry.score), "result"],
        ],
      });
      item.firstElementChild.title = results(entry);
    });
    const rest = block.lastElementChild;
    rest.hidden = sets.length === entries.length;
    rest.textContent = `${entries.length - sets.length} more`;
  }

  const again = follow(element, (path) => get(`${path}/book`), (news) => {
    waiting(lists, false);
    told = news;
    whole.clear();
    show();
  }, {
    pending: () => waiting(lists, true),
    failed: (error) => {
      told = null;
      show();
      note.replaceChildren(fault(error, again));
    },
  });
}

/** What became of those who played it, where that is known. */
function results({ score, survival, solo, centres2, centres4 }) {
  const one = (text, number) => (number === null || number === undefined ? null : `${text} ${number}`);
  const centres = (number) => (typeof number === "number" ? number.toFixed(1) : null);
  return [
    one("result (its square of centres in all squares)", typeof score === "number" ? percent(score) : null),
    one("survived", typeof survival === "number" ? percent(survival) : null),
    one("won alone", typeof solo === "number" ? percent(solo) : null),
    one("centres after two years", centres(centres2)),
    one("after four", centres(centres4)),
  ]
    .filter(Boolean)
    .join("; ");
}

function notes({ left, names = [], exact }, count) {
  const lines = [];
  if (names.length) lines.push(el("p", { class: "names" }, ...names.flatMap((name, at) => [at ? " · " : "", el("span", { text: pretty(name) })])));
  if (left) {
    const who = (left.powers ?? [left.power]).filter(Boolean).map(titled).join(", ");
    const text = who ? `The game left the book in ${left.phase}: ${who} played what it has not.` : `The book ends in ${left.phase}.`;
    const elsewhere = store.node.id !== left.node;
    lines.push(
      el("p", {}, text, " ", elsewhere && store.branch(left.node) ? button("Go there", () => attempt(() => store.goto(left.node)), { class: "quiet" }) : null),
    );
  }
  if (!count) lines.push(el("p", { class: "hint", text: "The book has nothing for this position." }));
  else if (exact === false) lines.push(el("p", { class: "hint", text: "The book knows this position by each power’s own units alone." }));
  return lines;
}

/** "FRANCE: Burgundy Variation" as people write it. */
const pretty = (name) => name.replace(/^([A-Z]{3,}): /, (_, power) => `${titled(power)}: `);
