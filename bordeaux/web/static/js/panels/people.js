/** What people would play: the sets of orders that are likeliest by what was learnt from recorded games. */

import { get } from "../api.js";
import { el } from "../dom.js";
import { follow } from "./follow.js";
import { likely, SetLists } from "./lines.js";
import { powerChoice } from "./powers.js";

export const id = "people";
export const title = "People";

const LINES = 5;

export function mount(element) {
  let told = null;
  const powers = powerChoice("Powers that are shown", () => show());
  const note = el("div", { role: "status" });
  const lists = new SetLists("What people would play as", likely);
  element.append(
    el("p", { class: "hint", text: "What people would play here, learnt from recorded games." }),
    el("div", { class: "row" }, powers.element),
    note,
    lists.element,
  );

  function show(news = told) {
    told = news;
    const shown = lists.show(told?.powers ?? {}, powers.allows);
    note.replaceChildren(...(told && !shown ? [el("p", { class: "hint", text: "Nobody has anything to order here." })] : []));
  }

  follow(element, (path) => get(`${path}/people?lines=${LINES}`), show, lists.element, note);
}
