/** What the engine found for one power: its lines, why, and what it expects of the others. */

import { button, el, titled } from "../dom.js";
import { keyed, steady } from "./keyed.js";
import { keyOf, likely, lineButton, same, SetLists, setLine } from "./lines.js";
import { percent, table, within } from "./numbers.js";
import { powerName } from "./powers.js";

/** Unfolded parts stay so from one position to the next, and for all powers alike. */
const unfolded = new Set();

/** The card of one power; `show(answer, alone)` brings it up to date. Beside others it has one line until it is opened. */
export class Answer {
  #answer = null;
  #alone = false;
  #more = button("", () => this.#toggle(), { class: "quiet small more muted" });
  #open = false;
  #lines;
  #why;
  #expected;
  #others = new SetLists("Expected of", likely);

  constructor(power) {
    this.power = power;
    this.#lines = el("ol", { class: "answer-lines", "aria-label": `Lines of ${titled(power)}` });
    this.#why = this.#folded("why", "Why these orders");
    this.#expected = this.#folded("expected", "What it expects of the others");
    this.#expected.append(this.#others.element);
    this.element = el(
      "div",
      { class: "answer found", role: "group", "aria-label": titled(power) },
      el("header", {}, powerName(power), this.#more),
      this.#lines,
      el("div", { class: "folds" }, this.#why, this.#expected),
    );
    this.element.addEventListener("pointerleave", () => this.#showLines());
  }

  #toggle() {
    this.#open = !this.#open;
    this.#showLines();
    this.#showFolds();
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
  show(answer, alone) {
    if (answer === this.#answer && alone === this.#alone) return;
    this.#answer = answer;
    this.#alone = alone;
    this.#showLines();
    this.#showFolds();
  }

  get #whole() {
    return this.#alone || this.#open;
  }

  #showLines() {
    const { orders, lines, nodes } = this.#answer;
    // The best comes first; amid a round it may be none of the lines yet, and takes the place of the last.
    const first = lines.find((line) => same(line.orders, orders)) ?? { orders };
    const sorted = [first, ...lines.filter((line) => !same(line.orders, orders))].slice(0, Math.max(1, lines.length));
    const most = this.#whole ? sorted.length : 1;
    const byKey = new Map(sorted.slice(0, most).map((line) => [keyOf(line), line]));
    const pointed = this.#lines.matches(":hover, :focus-within");
    const shown = [...this.#lines.children].map((child) => child.dataset.key);
    const keys = pointed ? steady(shown, [...byKey.keys()]) : [...byKey.keys()];
    this.#more.hidden = this.#alone;
    this.#more.textContent = this.#open ? "less" : "more";
    this.#more.setAttribute("aria-expanded", String(this.#open));
    this.#more.setAttribute("aria-label", `${this.#open ? "Less" : "More"} of ${titled(this.power)}`);
    keyed(
      this.#lines,
      keys.map((key) => byKey.get(key)),
      keyOf,
      () => el("li", {}, lineButton(this.power)),
      (item, line) => {
        const chosen = same(line.orders, orders);
        item.classList.toggle("chosen", chosen);
        setLine(item.firstElementChild, {
          orders: line.orders,
          against: chosen ? null : orders,
          figures: [
            [within(line.value, line.error), "score"],
            [line.forced ? "forced" : percent(line.solo), "solo"],
          ],
          tag: !chosen && line.level ? "as good" : "",
          // What was not searched is no advice yet.
          best: chosen && nodes > 0,
        });
      },
    );
  }

  #showFolds() {
    if (!this.#answer) return;
    const { expected } = this.#answer;
    this.#why.hidden = !this.#whole;
    this.#expected.hidden = !this.#whole || !Object.keys(expected ?? {}).length;
    if (this.#why.open && this.#why.shown !== this.#answer) {
      this.#why.shown = this.#answer;
      this.#why.lastElementChild.replaceChildren(why(this.#answer));
    }
    if (this.#expected.open && this.#expected.shown !== expected) {
      this.#expected.shown = expected;
      this.#others.show(expected);
    }
  }
}

/** Standard errors from which on a loss is told. */
const SURE = 2;

/** Orders that work together, and the share of the result that is lost without them, if it is more than chance. */
function loss({ orders, lost, doubt }) {
  return [orders.map((order) => order.replaceAll(" ", "\u00a0")).join("; "), lost > SURE * doubt ? percent(lost) : "–"];
}

/** The grounds of an answer: what would be lost without each order. */
const why = ({ effects }) =>
  effects?.length
    ? table("What would be lost without the order", ["Order", "Score"], effects.map(loss))
    : el("p", { class: "hint", text: "The reasons come with the end of the round." });
