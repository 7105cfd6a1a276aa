/** What the engine found for one power: its lines, why, and what it expects of the others. */

import { el, titled } from "../dom.js";
import { keyed, steady } from "./keyed.js";
import { keyOf, lineButton, same, setLine, showSets } from "./lines.js";
import { percent } from "./numbers.js";
import { powerName } from "./powers.js";
import { why } from "./why.js";

/** Unfolded parts stay so from one position to the next, and for all powers alike. */
const unfolded = new Set();

/** What the figures of a line are. */
const HEADS = [
  { text: "score", title: "What may be expected of the end after these orders: its square of centres in all squares, all of it for a solo" },
  { text: "solo", title: "The chance of a victory alone after these orders" },
];
const heads = () => el("span", { class: "heads", "aria-hidden": "true" }, ...HEADS.map((each) => el("span", each)));

/** The card of one power; `show(answer)` brings it up to date. */
export class Answer {
  #answer = null;
  #book = el("span", { class: "tag", text: "book, by weight", title: "From the opening book, with the weight of each line before it", hidden: true });
  #lines = el("ol", { class: "answer-lines" });
  #why;
  #expected;

  constructor(power) {
    this.power = power;
    this.#lines.setAttribute("aria-label", `Lines of ${titled(power)}`);
    this.#why = this.#folded("why", "Why these orders");
    this.#expected = this.#folded("expected", "What it expects of the others");
    this.element = el(
      "div",
      { class: "answer", role: "group", "aria-label": titled(power) },
      el("header", {}, powerName(power), this.#book, heads()),
      this.#lines,
      el("div", { class: "folds" }, this.#why, this.#expected),
    );
    this.element.addEventListener("pointerleave", () => this.#showLines());
  }

  #folded(part, title) {
    const fold = el("details", { open: unfolded.has(part) }, el("summary", { text: title }), el("div"));
    fold.addEventListener("toggle", () => {
      if (fold.open) unfolded.add(part);
      else unfolded.delete(part);
      this.#showFolds();
    });
    return fold;
  }

  /** Bring the card up to date. Nothing is done where nothing has changed. */
  show(answer) {
    if (answer === this.#answer) return;
    this.#answer = answer;
    this.#book.hidden = !answer.book;
    this.#showLines();
    this.#showFolds();
  }

  #showLines() {
    const { orders, lines, book } = this.#answer;
    // The best comes first; amid a round it may be none of the lines yet, and takes the place of the last.
    const first = lines.find((line) => same(line.orders, orders)) ?? { orders, value: this.#answer.value };
    const sorted = [first, ...lines.filter((line) => !same(line.orders, orders))].slice(0, Math.max(1, lines.length));
    const byKey = new Map(sorted.map((line) => [keyOf(line), line]));
    const pointed = this.#lines.matches(":hover, :focus-within");
    const shown = [...this.#lines.children].map((child) => child.dataset.key);
    const keys = pointed ? steady(shown, [...byKey.keys()]) : [...byKey.keys()];
    keyed(
      this.#lines,
      keys.map((key) => byKey.get(key)),
      keyOf,
      () => el("li", {}, lineButton(this.power)),
      (item, line) => {
        const best = same(line.orders, orders);
        item.classList.toggle("chosen", best);
        const figures = [percent(line.share), line.forced ? "forced" : percent(line.solo)];
        const told = HEADS.map(({ text }, place) => `${text} ${figures[place]}`);
        setLine(item.firstElementChild, {
          orders: line.orders,
          against: best ? null : orders,
          part: book ? line.probability : null,
          numbers: figures,
          told: [best ? "best" : "", ...told, book ? `weight ${percent(line.probability)}` : ""].filter(Boolean).join(", "),
          best,
        });
      },
    );
  }

  #showFolds() {
    if (!this.#answer) return;
    const { expected, book } = this.#answer;
    // A book has no grounds to tell.
    this.#why.hidden = book;
    this.#expected.hidden = !Object.keys(expected ?? {}).length;
    if (this.#why.open && this.#why.shown !== this.#answer) {
      this.#why.shown = this.#answer;
      this.#why.lastElementChild.replaceChildren(why(this.#answer));
    }
    if (this.#expected.open && this.#expected.shown !== expected) {
      this.#expected.shown = expected;
      this.#showExpected(expected);
    }
  }

  #showExpected(expected) {
    keyed(
      this.#expected.lastElementChild,
      Object.entries(expected),
      ([power]) => power,
      ([power]) => el("div", { class: "expected" }, powerName(power), el("ol", { class: "answer-lines", "aria-label": `Expected of ${titled(power)}` })),
      (block, [power, lines]) => showSets(block.lastElementChild, power, lines),
    );
  }
}
