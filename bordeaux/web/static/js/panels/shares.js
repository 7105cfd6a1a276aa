/** The bar of as many colours as there are powers: who has how much of the board. */

import { get } from "../api.js";
import { colourOf, el, titled } from "../dom.js";
import { store } from "../store.js";
import { fault, follow } from "./follow.js";
import { keyed } from "./keyed.js";
import { percent, points } from "./numbers.js";
import { powerName } from "./powers.js";
import { table } from "./why.js";

/** Narrower parts have no room for a letter. */
const LETTERED = 0.035;

export const id = "shares";
export const title = "Shares";
export const place = "bar";

export function mount(element) {
  let told = null;
  const bar = el("span", { class: "bar", role: "img" });
  const values = el("div", { class: "values" });
  const details = el(
    "details",
    { class: "shares" },
    el("summary", { title: "Shares of the board by the evaluation; open for the figures" }, bar),
    values,
  );
  details.addEventListener("toggle", show);
  element.append(details);

  function show() {
    const powers = Object.entries(told?.powers ?? {});
    keyed(bar, powers, ([power]) => power, () => el("span"), part);
    bar.setAttribute("aria-label", told ? `Shares of the board: ${sentence(powers)}` : "Shares of the board");
    if (details.open && told) values.replaceChildren(figures(powers));
  }

  const again = follow(element, (path) => get(`${path}/evaluation`), (news) => {
    bar.classList.remove("stale");
    told = news;
    show();
  }, {
    pending: () => bar.classList.add("stale"),
    failed: (error) => {
      told = null;
      show();
      values.replaceChildren(fault(error, again));
      details.open = true;
    },
  });
}

function part(element, [power, { value, share }]) {
  const known = store.study.powers.find(({ name }) => name === power);
  const colour = colourOf(store.study, power);
  element.className = `part power-${colour}`;
  element.style.setProperty("--power-color", `var(--power-${colour})`);
  element.style.setProperty("--part", share);
  element.textContent = share >= LETTERED ? (known?.letter ?? power.charAt(0)) : "";
  element.title = `${titled(power)}: ${percent(share)}, ${points(value)} points`;
}

function sentence(powers) {
  return powers
    .filter(([, { share }]) => share > 0)
    .sort(([, one], [, other]) => other.share - one.share)
    .map(([power, { share }]) => `${titled(power)} ${percent(share)}`)
    .join(", ");
}

function figures(powers) {
  const centres = store.branch(store.node.id)?.centres ?? {};
  const expected = powers.some(([, { expect }]) => expect);
  return table(
    "Shares of the sum of all values, and what recorded games say of the end",
    ["Power", "Centres", "Value", "Share", ...(expected ? ["At the end", "Solo"] : [])],
    powers.map(([power, { value, share, expect }]) => [
      powerName(power),
      String(centres[power] ?? 0),
      points(value),
      percent(share),
      ...(expected ? [percent(expect?.square), percent(expect?.solo)] : []),
    ]),
    "figures",
  );
}
