/** The orders of the phase beside the board: the draft as it is written, or what was ordered and what came of it. */

import { board } from "./board.js";
import { badge, button, colourOf, el, intoSight, refill, titled } from "./dom.js";
import { misfits } from "./entry.js";
import { ordering } from "./ordering.js";
import { store } from "./store.js";
import { parse, provinceOf, sentence, subject } from "./words.js";

/** What came of an order, in words. */
const told = (words = []) => words.map((word) => ({ bounce: "bounced", disrupted: "convoy broken" })[word] ?? word).join(", ");

/** A row of the list, which points at a province of the board. */
const row = (attributes, province, ...children) =>
  el("li", { ...attributes, on: { pointerenter: () => board.point(province), pointerleave: () => board.point(null) } }, ...children);

/** Build the list of orders in an element, and keep it. */
export function mountOrders(element) {
  const title = el("h2", { id: "orders-title", text: "Orders" });
  const lines = el("div", { class: "lines", role: "group", "aria-label": "Which orders are shown" });
  const showing = el("span", { class: "hint", text: "Show", "aria-hidden": "true" });
  const whyNot = el("p", { class: "why-not", id: "why-not", role: "alert" });
  // It scrolls, so the keyboard has to reach it.
  const rows = el("div", { class: "by-power" });
  const list = el("div", { class: "powers", role: "group", "aria-label": "Orders by power", tabindex: "0" }, rows);
  const known = el("datalist", { id: "orders-known" });
  const field = el("input", {
    id: "typed",
    list: "orders-known",
    class: "grow",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    placeholder: "Type an order: A PAR - BUR",
    "aria-label": "Type an order",
    "aria-describedby": "why-not",
    "aria-keyshortcuts": "/",
    on: { keydown: (event) => event.key === "Escape" && field.blur(), input: () => tellWhyNot("") },
  });
  const undo = button("Undo", () => ordering.undo(), { "aria-keyshortcuts": "u", title: "Undo (u)" });
  const clear = button("Clear", () => ordering.clear(), { title: "Take back all orders" });
  const form = el("form", { class: "typed row", on: { submit: typed } }, field, undo, clear, known);
  element.append(el("header", { class: "row" }, title, showing, lines), list, whyNot, form);

  function tellWhyNot(text) {
    whyNot.textContent = text;
    field.setAttribute("aria-invalid", String(Boolean(text)));
  }

  async function typed(event) {
    event.preventDefault();
    const line = field.value.trim();
    if (!line) return;
    const why = await ordering.type(line);
    tellWhyNot(why ?? "");
    if (why === null) field.value = "";
  }

  let askedAt = null;
  /** Supports and convoys of what is ordered otherwise. */
  let idle = [];

  function show(event = null) {
    const { study, node, chosen } = store;
    if (!study || !node) return;
    showLines(node, chosen);
    // Results are those of the orders that were given, and of no others that are looked at meanwhile.
    const child = store.shownInstead ? undefined : node.next.find((each) => each.id === chosen);
    const orders = store.shownInstead ?? store.orders();
    idle = child ? [] : misfits(orders);
    // Room for results wherever there are some, so that nothing moves when other orders are shown in their place.
    element.classList.toggle("with-results", node.next.length > 0);
    // Nor does anything below move, under the pointer, while they are looked at.
    if (!store.shownInstead) rows.removeAttribute("style");
    else if (!rows.hasAttribute("style")) rows.style.setProperty("--room", `${rows.offsetHeight}px`);
    // Where a record goes on otherwise than by our rules, that is said.
    const note = child?.note ? el("p", { class: "note", text: child.note }) : "";
    // In a game one's own come first.
    const own = study.play?.you ?? [];
    const powers = study.powers.toSorted((one, other) => Number(own.includes(other.name)) - Number(own.includes(one.name)));
    refill(rows, note, ...powers.map(({ name }) => powerRow(name, orders[name] ?? [], child)).filter(Boolean));
    if (event?.type === "chosen") list.scrollTop = 0;
    // The power that is ordered is in sight.
    const ordered = event?.type === "draft" && store.ordered && rows.querySelector(`[aria-label="${titled(store.ordered)}"]`);
    if (ordered) intoSight(list, ordered);
    const busy = Object.keys(node.legal).length > 0;
    form.hidden = !busy;
    if (node.id !== askedAt) tellWhyNot("");
    askedAt = node.id;
    undo.disabled = !store.undoable;
    clear.disabled = !Object.values(orders).some((each) => each.length);
    known.replaceChildren(...ordering.suggestions());
  }

  function showLines(node, chosen) {
    const shown = (text, id) => button(text, () => store.choose(id), { "aria-pressed": String(chosen === id) });
    lines.hidden = showing.hidden = !node.next.length;
    refill(lines, ...node.next.map(({ id }, n) => shown(n ? `Line ${n + 1}` : "Played", id)), shown("Draft", null));
  }

  function powerRow(power, orders, child) {
    const { node, study } = store;
    const centres = store.branch(node.id)?.centres[power] ?? 0;
    const due = ordering.dueOf(power);
    const none = !orders.length && !node.due[power];
    if (none && (ordering.phaseKind !== "M" || !centres)) return null;
    const editable = store.chosen === null && store.shownInstead === null && ordering.mayOrder(power);
    const items = orders.map((text, n) => orderItem(power, text, n, child, editable));
    // In a game in progress the orders of others are not known yet.
    const seen = child || ordering.mayOrder(power);
    if (node.due[power] && !store.shownInstead && seen) items.push(...missing(power, orders, child));
    return el(
      "section",
      { class: `power power-${colourOf(study, power)}`, "aria-label": titled(power) },
      el(
        "h3",
        {},
        badge(study, power),
        el("span", { class: "grow", text: titled(power) }),
        due && editable && el("span", { class: "muted due", text: due }),
        editable && node.due[power]?.kind === "build" && button("Waive", () => ordering.waive(power), { class: "quiet small", "aria-label": `Waive a build of ${titled(power)}` }),
      ),
      items.length > 0 && el("ul", {}, ...items),
      child && !items.length && el("p", { class: "order missing" }, el("span", { class: "muted", text: "nothing ordered" })),
    );
  }

  function orderItem(power, text, n, child, editable) {
    const unit = subject(text);
    const foreign = child?.foreign[power]?.[unit];
    const words = foreign?.words ?? child?.results[unit] ?? [];
    // The words of the result stand before it already.
    const reason = (foreign?.reason ?? child?.reasons[unit] ?? "").replace(/^(?:void|cut|bounced|dislodged): /, "");
    return row(
      { class: words.length ? "order failed" : "order" },
      provinceOf(parse(text).at ?? ""),
      child && el("span", { class: "result", "aria-hidden": "true", text: words.length ? "✗" : "✓" }),
      el("span", { class: "text", title: sentence(text, board.names), text }),
      child && el("span", { class: words.length ? "what" : "unseen", text: told(words) || "carried out" }),
      idle.includes(text) && el("span", { class: "what", text: "unmatched", title: "The unit is ordered otherwise" }),
      editable && button("×", () => ordering.drop(power, n), { class: "quiet small", "aria-label": `Take back ${text}`, title: "Take back" }),
      reason && words.length > 0 && el("p", { class: "reason", text: reason }),
    );
  }

  /** Units that have no order: they hold, or disband where they should retreat. */
  function missing(power, orders, child) {
    if (ordering.phaseKind === "A") return [];
    const ordered = new Set(orders.map((text) => provinceOf(parse(text).at ?? "")));
    const unordered = ordering.phaseKind === "R" ? "disbands" : "holds";
    const over = child && ordering.phaseKind === "M";
    const units = Object.keys(store.node.legal)
      .filter((location) => ordering.powerAt(location) === power && !ordered.has(provinceOf(location)))
      .map((location) => {
        const unit = subject(store.node.legal[location][0]);
        const province = provinceOf(location);
        const act = () => {
          ordering.cancel();
          ordering.press(province);
          board.focus(province);
        };
        const open = !child && ordering.mayOrder(power);
        return row(
          { class: "order missing" },
          province,
          open ? button(unit, act, { class: "quiet small text", "aria-label": `Order ${unit}` }) : el("span", { class: "text", text: unit }),
          el("span", { class: ordering.phaseKind === "R" ? "muted" : "unseen", text: unordered }),
          over && child.results[unit]?.length > 0 && el("span", { class: "what", text: told(child.results[unit]) }),
        );
      });
    return over && units.length ? [...units, el("li", { class: "muted", text: "no order" })] : units;
  }

  store.on("study node draft chosen preview play", show);
}
