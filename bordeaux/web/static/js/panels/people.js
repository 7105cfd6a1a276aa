/** What people would play: the sets of orders that are likeliest by what was learnt from recorded games. */

import { get } from "../api.js";
import { el, titled } from "../dom.js";
import { store } from "../store.js";
import { fault, follow, waiting } from "./follow.js";
import { keyed } from "./keyed.js";
import { markLines, showSets } from "./lines.js";
import { powerChoice, powerName } from "./powers.js";

export const id = "people";
export const title = "People";

const LINES = 5;

export function mount(element) {
  let told = null;
  const powers = powerChoice("Powers that are shown", show);
  const note = el("div", { role: "status" });
  const lists = el("div", { class: "answers" });
  element.append(
    el("p", { class: "hint", text: "What people would play here, as a net learnt it from recorded games." }),
    el("div", { class: "row" }, powers.element),
    note,
    lists,
  );
  markLines(lists);

  function show() {
    const shown = Object.entries(told?.powers ?? {}).filter(([power, lines]) => lines.length && powers.allows(power));
    keyed(
      lists,
      shown,
      ([power]) => `${store.study.id} ${power}`,
      ([power]) =>
        el(
          "div",
          { class: "answer", role: "group", "aria-label": titled(power) },
          el("header", {}, powerName(power)),
          el("ol", { class: "answer-lines", "aria-label": `What people would play as ${titled(power)}` }),
        ),
      (block, [power, lines]) => showSets(block.lastElementChild, power, lines),
    );
    note.replaceChildren(...(told && !shown.length ? [el("p", { class: "hint", text: "Nobody has orders to give here." })] : []));
  }

  const again = follow(element, (path) => get(`${path}/people?lines=${LINES}`), (news) => {
    waiting(lists, false);
    told = news;
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
