/** A set of orders as a line in a list: what it is worth, and a look at it on the board. */

import { el, titled } from "../dom.js";
import { store } from "../store.js";
import { keyed } from "./keyed.js";
import { percent } from "./numbers.js";

/** Whether two sets hold the same orders, in whatever sequence. */
export function same(one, other) {
  return one.length === other.length && one.every((order) => other.includes(order));
}

/** The key of a set of orders. */
export const keyOf = ({ orders }) => orders.toSorted().join(";");

/** Orders as text that breaks between orders only; those that are not `against` stand out. */
export function written(orders, against = null) {
  const listed = orders.length ? orders : ["nothing to order"];
  return el(
    "span",
    { class: "order-set" },
    ...listed.flatMap((order) => [
      el("span", { class: against && !against.includes(order) ? "each other" : "each", text: order }),
      " ",
    ]),
  );
}

/** The line that is shown on the board. */
let looked = null;

function away() {
  looked = null;
  store.preview(null);
}

/**
 * A button that shows orders on the board while it is pointed at or has the focus, and writes them into the
 * draft when it is pressed.
 * @param {string} power
 * @param {Object} [attributes]
 * @returns {HTMLButtonElement} whose orders `setLine` gives
 */
export function lineButton(power, attributes = {}) {
  const look = () => {
    looked = line;
    store.preview({ [power]: line.orders });
  };
  const line = el("button", {
    type: "button",
    ...attributes,
    class: `answer-line ${attributes.class ?? ""}`.trim(),
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
 * Fill a line.
 * @param {*} line the button of `lineButton`
 * @param {{orders: string[], against?: string[]|null, part?: number|null, figures?: string[][], name?: string, tag?: string,
 *   best?: boolean}} line `part` is its probability as a bar before the orders; `figures` stand above them, each with what it
 *   counts, beside the `name` of the set and a `tag`; the `best` has a star
 */
export function setLine(line, { orders, against = null, part = null, figures = [], name = "", tag = "", best = false }) {
  const sign = JSON.stringify([orders, against, part, figures, name, tag, best]);
  if (line.sign === sign) return;
  line.sign = sign;
  line.orders = orders;
  const chances = el(
    "span",
    { class: "chances" },
    best ? el("span", { class: "star", text: "★" }) : null,
    ...figures.map(([number, what]) => el("span", { class: "figure" }, el("span", { class: "number", text: number }), ` ${what}`)),
    name ? el("span", { class: "name", text: name }) : null,
    tag ? el("span", { class: "tag", text: tag }) : null,
  );
  line.replaceChildren(...(part === null ? [] : [share(part)]), ...(figures.length ? [chances] : []), written(orders, against));
  const said = [best ? "best" : "", name, ...figures.map(([number, what]) => `${what} ${number}`), part === null ? "" : `probability ${percent(part)}`, tag];
  line.classList.toggle("differs", against !== null);
  line.setAttribute("aria-label", `${titled(line.power)}: ${[...said, ...orders].filter(Boolean).join(", ")}. Write into the draft.`);
  markDrafted(line);
}

/** A list of likely sets of one power, likeliest first; where others differ from the first stands out. */
export function showSets(list, power, lines) {
  keyed(
    list,
    lines,
    keyOf,
    () => el("li", {}, lineButton(power)),
    (item, line) =>
      setLine(item.firstElementChild, {
        orders: line.orders,
        against: line === lines[0] ? null : lines[0].orders,
        part: line.probability,
      }),
  );
}

/** A part of one as a number over a bar of that length. */
function share(part) {
  const bar = el("span", { class: "number share", text: percent(part) });
  bar.style.setProperty("--part", Math.min(1, Math.max(0, part)));
  return bar;
}

/** Show by a mark whether a line is what the draft has. */
function markDrafted(line) {
  const drafted = line.orders.length > 0 && same(line.orders, store.node?.draft[line.power] ?? []);
  line.classList.toggle("drafted", drafted);
  line.setAttribute("aria-pressed", drafted);
}

/** Keep the marks of all lines below an element true, and the board free of lines that are gone. */
export function markLines(element) {
  new MutationObserver(() => looked && !looked.isConnected && away()).observe(element, { childList: true, subtree: true });
  const mark = () => element.querySelectorAll("button.answer-line").forEach(markDrafted);
  store.addEventListener("draft", mark);
  store.addEventListener("node", mark);
}
