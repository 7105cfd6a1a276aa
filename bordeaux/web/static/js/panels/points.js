/** The turning points of a review as a list: each leads to the board, and to the better order that is to be found. */

import { attempt, post } from "../api.js";
import { button, el, intoSight, titled } from "../dom.js";
import { findings } from "../findings.js";
import { phaseName } from "../stepper.js";
import { store } from "../store.js";
import { keyed } from "./keyed.js";
import { written } from "./lines.js";
import { percent } from "./numbers.js";
import { powerName } from "./powers.js";

/** Seconds that the engine looks for orders of its own beside a try. */
const SECONDS = 1;
/** A try as good as the best but for so many of its standard errors has found it. */
const SURE = 2;

const keyOf = (point) => `${store.study.id} ${point.node} ${point.power} ${point.kind}`;

/** The list, kept true to what the review of the open study has found. */
export function points() {
  const list = el("ol", { class: "points", "aria-label": "Turning points" });
  let sought = null;

  function card(point) {
    const open = button("", () => look(point), { class: "quiet" });
    const find = button("Find the better order", () => ask(point));
    const check = button("Check my orders", () => weigh(point), { class: "strong" });
    const answer = button("Show the answer", () => look(point));
    const verdict = el("div", { class: "verdict", role: "status" });
    const told = el("div");
    const element = el("li", { class: "point" }, open, told, el("div", { class: "row" }, find, check, answer), verdict);
    Object.assign(element, { find, check, answer, told, verdict });
    open.append(
      el("span", { class: "glyph", "aria-hidden": "true", text: point.glyph }),
      powerName(point.power),
      el("span", { text: phaseName(point.phase) }),
      el("span", { class: "lost", text: point.kind === "stab" ? "stab" : point.loss > 0 ? `${point.kind}, −${percent(point.loss)}` : point.kind }),
    );
    return element;
  }

  function fill(element, point) {
    const looked = findings.looked === point;
    const seeking = looked && sought === point;
    const asked = store.node?.id === point.node && point.better.length > 0;
    element.ariaCurrent = looked ? "true" : null;
    element.find.hidden = seeking || !point.better.length;
    element.check.hidden = !seeking || !asked;
    element.answer.hidden = !seeking;
    if (!looked) element.verdict.replaceChildren();
    element.told.replaceChildren(...(seeking ? [el("p", { text: task(point) })] : looked ? whole(point) : []));
  }

  const task = ({ power, phase }) =>
    `Enter better orders for ${titled(power)} in ${phaseName(phase)}, then check them.`;

  /** A text in which an order is not broken over two lines. */
  const unbroken = (text, order) => text.replaceAll(order, order.replaceAll(" ", "\u00a0"));

  const whole = (point) => [
    el("p", { text: [...point.played, ...point.better].reduce(unbroken, point.why) }),
    el("p", { class: "key-played" }, "Played ", written(point.played, point.better)),
    point.better.length ? el("p", { class: "key-better" }, "Better ", written(point.better, point.played)) : "",
  ];

  function look(point) {
    sought = null;
    findings.show(point);
  }

  async function ask(point) {
    sought = point;
    cardOf(point)?.verdict.replaceChildren();
    await findings.ask(point);
    // The orders of the power come into sight beside the board, which stays where it is.
    const orders = document.querySelector("#orders .powers");
    const own = orders.querySelector(`section[aria-label="${titled(point.power)}"]`);
    if (own) intoSight(orders, own);
  }

  const cardOf = (point) => [...list.children].find((each) => each.dataset.key === keyOf(point));

  async function weigh(point) {
    const { power, played, better } = point;
    const element = cardOf(point);
    element.check.disabled = true;
    element.verdict.replaceChildren(el("p", { class: "hint", text: "The engine is checking your orders." }));
    const told = await attempt(() =>
      post(`${store.path(point.node)}/try`, { power, try: store.node.draft[power] ?? [], played, better, time: SECONDS }),
    );
    element.check.disabled = false;
    element.verdict.replaceChildren(...(told ? judged(told.sets) : []));
    element.verdict.scrollIntoView({ block: "nearest" });
  }

  function judged(sets) {
    const mine = sets.find(({ name }) => name === "try");
    const played = sets.find(({ name }) => name === "played");
    const best = sets[0];
    const found = mine.behind <= SURE * mine.doubt || mine === best;
    const gained = mine.expected - (played ?? mine).expected;
    const words = found
      ? "Well done: the engine knows nothing better."
      : !played
        ? "These are the orders that were played."
        : gained > 0
          ? `Better than what was played, by ${percent(gained)}; the best is ${percent(mine.behind)} better still.`
          : "Not better than what was played. Try again.";
    // The solution is hidden until it is found or asked for.
    const shown = sets.filter(({ name }) => found || name === "try" || name === "played");
    const rows = shown.map(({ name, told, orders, expected }) => {
      const cells = [el("th", { scope: "row", text: told }), el("td", {}, written(orders)), el("td", { class: "number", text: percent(expected) })];
      return el("tr", { class: name === "try" && "mine" }, ...cells);
    });
    const head = el("thead", {}, el("tr", {}, ...["Orders", "", "Score"].map((text) => (text ? el("th", { scope: "col", text }) : el("td")))));
    return [el("table", {}, el("caption", { text: words }), head, el("tbody", {}, ...rows))];
  }

  function show() {
    keyed(list, findings.points, keyOf, card, fill);
    list.hidden = !findings.points.length;
  }

  function moved() {
    if (findings.looked && store.node?.id !== findings.looked.node) {
      sought = null;
      findings.leave();
    }
    show();
  }

  findings.on("change", () => {
    if (findings.looked !== sought) sought = null;
    show();
  });
  store.on("node", moved);
  show();
  return list;
}
