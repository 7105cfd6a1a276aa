/** The bar of as many colours as there are powers: what each may expect of the end. Its centres unfold below it. */

import { get } from "../api.js";
import { colourOf, el, titled } from "../dom.js";
import { store } from "../store.js";
import { fault, follow, waiting } from "./follow.js";
import { keyed } from "./keyed.js";
import { percent } from "./numbers.js";
import { powerName } from "./powers.js";
import { table } from "./tables.js";

/** Pixels: narrower parts have no room for a letter, and of a letter, a number and a sign what each takes. */
const LETTERED = 13;
const COUNTED = 7.6;

export const id = "shares";
export const title = "Chances";
export const place = "bar";

export function mount(element) {
  let told = null;
  const bar = el("span", { class: "bar", role: "img", "aria-label": "Chances" });
  const values = el("div", { class: "values" });
  const details = el("details", { class: "shares" }, el("summary", { title: "What each power may expect of the end: its share of the squares of centres" }, bar), values);
  details.addEventListener("toggle", show);
  new ResizeObserver(show).observe(bar);
  element.append(details);

  function show() {
    const powers = Object.entries(told?.powers ?? {});
    keyed(bar, powers, ([power]) => power, () => el("span"), (element, [power, { expect }]) => {
      part(element, power, expect.square);
      const pixels = expect.square * bar.clientWidth;
      const counted = `${letterOf(power)} ${percent(expect.square)}`;
      element.textContent = pixels >= COUNTED * counted.length ? counted : pixels >= LETTERED ? letterOf(power) : "";
    });
    if (told) bar.setAttribute("aria-label", sentence(powers));
    if (details.open && told) values.replaceChildren(figures(powers));
  }

  const again = follow(element, (path) => get(`${path}/evaluation`), (news) => {
    waiting(bar, false);
    told = news;
    show();
  }, {
    pending: () => waiting(bar, true),
    failed: (error) => {
      told = null;
      show();
      values.replaceChildren(fault(error, again));
      details.open = true;
    },
  });
}

const letterOf = (power) => store.study.powers.find(({ name }) => name === power)?.letter ?? power.charAt(0);

function part(element, power, share) {
  const colour = colourOf(store.study, power);
  element.className = `part power-${colour}`;
  element.style.setProperty("--power-color", `var(--power-${colour})`);
  element.style.setProperty("--part", share);
  element.title = `${titled(power)}: ${percent(share)}`;
}

/** The bar in words, the largest part first. */
function sentence(powers) {
  const listed = powers
    .map(([power, { expect }]) => [power, expect.square])
    .filter(([, share]) => share >= 0.005)
    .sort(([, one], [, other]) => other - one)
    .map(([power, share]) => `${titled(power)} ${percent(share)}`);
  return `To be expected of the end: ${listed.join(", ")}.`;
}

function figures(powers) {
  const centres = store.branch(store.node.id)?.centres ?? {};
  return table(
    "What recorded games let each power expect of the end",
    ["Power", "Centres", "At the end", "Solo"],
    powers.map(([power, { expect }]) => [powerName(power), String(centres[power] ?? 0), percent(expect.square), percent(expect.solo)]),
    "figures",
  );
}
