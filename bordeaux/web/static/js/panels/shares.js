/** The bar of as many colours as there are powers: the expected score of each. Centres and solos unfold below it. */

import { get } from "../api.js";
import { colourOf, el, letterOf, titled } from "../dom.js";
import { store } from "../store.js";
import { follow } from "./follow.js";
import { keyed } from "./keyed.js";
import { percent, table } from "./numbers.js";
import { powerName } from "./powers.js";

/** Pixels: narrower parts have no room for a letter, and of a letter, a number and a sign what each takes. */
const LETTERED = 13;
const COUNTED = 7.6;

export function mount(element) {
  let told;
  const bar = el("span", { class: "bar", role: "img", "aria-label": "Chances" });
  const values = el("div", { class: "values" });
  const details = el("details", { class: "shares" }, el("summary", { title: "Expected scores before anybody orders: a solo is 100 %, in a draw each has its share of the squares of centres. The score of a line is that after its orders" }, bar), values);
  details.addEventListener("toggle", () => show());
  new ResizeObserver(() => show()).observe(bar);
  element.append(details);

  function show(news = told) {
    told = news;
    const powers = Object.entries(told?.powers ?? {});
    keyed(bar, powers, ([power]) => power, () => el("span"), (element, [power, { expect }]) => {
      part(element, power, expect.square);
      const pixels = expect.square * bar.clientWidth;
      const counted = `${letterOf(store.study, power)} ${percent(expect.square)}`;
      element.textContent = pixels >= COUNTED * counted.length ? counted : pixels >= LETTERED ? letterOf(store.study, power) : "";
    });
    if (told) bar.setAttribute("aria-label", sentence(powers));
    if (told && details.open) values.replaceChildren(figures(powers));
    // Why there are none is told below it.
    if (told === null) details.open = true;
  }

  follow(element, (path) => get(`${path}/evaluation`), show, bar, values);
}

function part(element, power, share) {
  const colour = colourOf(store.study, power);
  element.className = `part power-${colour}`;
  element.style.setProperty("--power-color", `var(--power-${colour})`);
  element.style.setProperty("--part", share);
  element.title = `${titled(power)}: ${percent(share)}`;
}

/** The bar in words, the largest part first. */
function sentence(powers) {
  const sorted = powers.filter(([, { expect }]) => expect.square >= 0.005).sort(([, one], [, other]) => other.expect.square - one.expect.square);
  return `Expected scores: ${sorted.map(([power, { expect }]) => `${titled(power)} ${percent(expect.square)}`).join(", ")}.`;
}

function figures(powers) {
  const centres = store.branch(store.node.id)?.centres ?? {};
  return table(
    "Expected scores, learnt from recorded games",
    ["Power", "Centres", "Score", "Solo"],
    powers.map(([power, { expect }]) => [powerName(power), String(centres[power] ?? 0), percent(expect.square), percent(expect.solo)]),
  );
}
