/** A set of orders as a line in a list: what it is worth, and a look at it on the board. */

import { button, el, titled } from "../dom.js";
import { store } from "../store.js";
import { keyed } from "./keyed.js";
import { percent } from "./numbers.js";
import { powerName } from "./powers.js";

/** Whether two sets hold the same orders, in whatever sequence. */
export function same(one, other) {
  return one.length === other.length && one.every((order) => other.includes(order));
}

/** The key of a set of orders. */
export const keyOf = ({ orders }) => orders.toSorted().join(";");

/** Orders as text that breaks between orders only; those that are not `against` stand out. */
export function written(orders, against = null) {
  const listed = orders.length ? orders : ["nothing to order"];
  const each = (order) => [el("span", { class: against && !against.includes(order) ? "each other" : "each", text: order }), " "];
  return el("span", { class: "order-set" }, ...listed.flatMap(each));
}

/** The line that is shown on the board. */
let looked = null;

function away() {
  looked = null;
  store.preview(null);
}

/**
 * A button that shows orders, which `setLine` gives, on the board while it is pointed at or has the focus, and writes them
 * into the draft when it is pressed.
 */
export function lineButton(power) {
  const look = () => {
    looked = line;
    store.preview({ [power]: line.orders });
  };
  const line = el("button", {
    type: "button",
    class: "answer-line",
    on: {
      pointerenter: (event) => event.pointerType !== "touch" && look(),
      pointerleave: away,
      focus: () => line.matches(":focus-visible") && look(),
      blur: away,
      click: () => store.setDraft({ [power]: line.orders }),
    },
  });
  line.power = power;
  line.orders = [];
  return line;
}

/**
 * Fill a line: `part` is its probability as a bar before the orders; `figures` stand above them, each with what it counts,
 * beside a `tag`; the `name` of the set stands after them; orders that are not `against` stand out; the `best` has a star.
 */
export function setLine(line, { orders, against = null, part = null, figures = [], name = "", tag = "", best = false }) {
  const sign = JSON.stringify([orders, against, part, figures, name, tag, best]);
  if (line.sign === sign) return;
  line.sign = sign;
  line.orders = orders;
  const chances = el(
    "span",
    { class: "chances" },
    best && el("span", { class: "star", text: "★" }),
    ...figures.map(([number, what]) => el("span", { class: "figure" }, el("span", { class: "number", text: number }), ` ${what}`)),
    tag && el("span", { class: "tag", text: tag }),
  );
  const parts = [part !== null && share(part), figures.length > 0 && chances, written(orders, against), name && el("span", { class: "name", text: name })];
  line.replaceChildren(...parts.filter(Boolean));
  const said = [best ? "best" : "", name, ...figures.map(([number, what]) => `${what} ${number}`), part === null ? "" : `probability ${percent(part)}`, tag];
  line.classList.toggle("differs", against !== null);
  line.setAttribute("aria-label", `${titled(line.power)}: ${[...said, ...orders].filter(Boolean).join(", ")}. Write into the draft.`);
  markDrafted(line);
}

/** Lists of sets of orders, one for each power, of which the first ones are shown until more are asked for. */
export class SetLists {
  element = el("div", { class: "answers" });
  #sets = {};
  #whole = new Set();
  #told;
  #lineOf;
  #most;
  #beside;

  /**
   * `told`: what they are, for screen readers, before the power's name; `lineOf`: what `setLine` takes, of a set and of the
   * first one of its power; how many are shown at first, and what stands beside the power's name.
   */
  constructor(told, lineOf, { most = Infinity, beside = "" } = {}) {
    [this.#told, this.#lineOf, this.#most, this.#beside] = [told, lineOf, most, beside];
    markLines(this.element);
  }

  /** Show sets by power, of the powers that are allowed; gives how many there are. */
  show(sets, allows = null) {
    if (sets !== this.#sets) this.#whole.clear();
    this.#sets = sets;
    const shown = Object.entries(sets).filter(([power, lines]) => lines.length && (!allows || allows(power)));
    keyed(this.element, shown, ([power]) => `${store.study.id} ${power}`, ([power]) => this.#card(power), (card, [power, lines]) => this.#fill(card, power, lines));
    return shown.length;
  }

  #card(power) {
    return el(
      "div",
      { class: "answer", role: "group", "aria-label": titled(power) },
      el("header", {}, powerName(power), el("span", { class: "muted", text: this.#beside })),
      el("ol", { class: "answer-lines", "aria-label": `${this.#told} ${titled(power)}` }),
      button("", ({ target }) => this.#more(target.parentElement, power), { class: "quiet small" }),
    );
  }

  #more(card, power) {
    this.#whole.add(power);
    this.#fill(card, power, this.#sets[power]);
  }

  #fill(card, power, lines) {
    const listed = this.#whole.has(power) ? lines : lines.slice(0, this.#most);
    keyed(card.querySelector("ol"), listed, keyOf, () => el("li", {}, lineButton(power)), (item, line) => setLine(item.firstElementChild, this.#lineOf(line, lines[0])));
    card.lastElementChild.hidden = listed.length === lines.length;
    card.lastElementChild.textContent = `${lines.length - listed.length} more`;
  }
}

/** A set with its probability; where it differs from the likeliest one stands out. */
export const likely = (line, first) => ({ orders: line.orders, against: line === first ? null : first.orders, part: line.probability });

/** A part of one as a number over a bar of that length. */
function share(part) {
  const bar = el("span", { class: "number share", text: percent(part) });
  bar.style.setProperty("--part", Math.min(1, Math.max(0, part)));
  return bar;
}

/** Show by a mark whether a line is what the draft has. */
function markDrafted(line) {
  const drafted = line.orders.length > 0 && same(line.orders, store.node?.draft[line.power] ?? []);
  line.setAttribute("aria-pressed", drafted);
}

/** Keep the marks of all lines below an element true, and the board free of lines that are gone. */
export function markLines(element) {
  new MutationObserver(() => looked && !looked.isConnected && away()).observe(element, { childList: true, subtree: true });
  const mark = () => element.querySelectorAll("button.answer-line").forEach(markDrafted);
  store.on("draft node", mark);
}
