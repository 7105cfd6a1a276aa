/** The bar of as many colours as there are powers: the expected score of each. Centres and solos unfold below it. */

import { get } from "../api.js";
import { colourOf, el, titled } from "../dom.js";
import { store } from "../store.js";
import { follow } from "./follow.js";
import { keyed } from "./keyed.js";
import { percent, table } from "./numbers.js";
import { powerName } from "./powers.js";

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
  const details = el("details", { class: "shares" }, el("summary", { title: "Expected scores before anybody orders: a solo is 100 %, in a draw each has its share of the squares of centres. The score of a line is that after its orders" }, bar), values);
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

  follow(element, (path) => get(`${path}/evaluation`), (news) => {
    told = news;
    show();
    if (!told) details.open = true;
  }, bar, values);
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
  return `Expected scores: ${listed.join(", ")}.`;
}

function figures(powers) {
  const centres = store.branch(store.node.id)?.centres ?? {};
  return table(
    "Expected scores, learnt from recorded games",
    ["Power", "Centres", "Score", "Solo"],
    powers.map(([power, { expect }]) => [powerName(power), String(centres[power] ?? 0), percent(expect.square), percent(expect.solo)]),
  );
}
