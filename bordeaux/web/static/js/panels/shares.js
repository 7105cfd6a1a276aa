/** The bar of as many colours as there are powers: who has how much of the board, and in a strip below what to expect of the end. */

import { get } from "../api.js";
import { colourOf, el, titled } from "../dom.js";
import { store } from "../store.js";
import { fault, follow, waiting } from "./follow.js";
import { keyed } from "./keyed.js";
import { percent, points } from "./numbers.js";
import { powerName } from "./powers.js";
import { table } from "./tables.js";

/** Pixels: narrower parts have no room for a letter, and for a number as well. */
const LETTERED = 13;
const COUNTED = 30;

export const id = "shares";
export const title = "Shares";
export const place = "bar";

export function mount(element) {
  let told = null;
  const bar = el("span", { class: "bar" });
  const strip = el("span", { class: "bar strip" });
  const label = (text, title) => el("span", { class: "label", text, title });
  const end = label("Expected end", "What recorded games let each power expect of the end: its share of the squares of centres");
  const bars = el(
    "span",
    { class: "bars", role: "img", "aria-label": "Shares of the board" },
    label("Board now", "Each power’s share of the sum of all values: who has how much of the board; beside each letter its centres"),
    bar,
    end,
    strip,
  );
  const values = el("div", { class: "values" });
  const details = el(
    "details",
    { class: "shares" },
    el("summary", {}, bars),
    values,
  );
  details.addEventListener("toggle", show);
  new ResizeObserver(show).observe(bar);
  element.append(details);

  function show() {
    const powers = Object.entries(told?.powers ?? {});
    const expected = powers.every(([, { expect }]) => expect);
    const pixels = (share) => share * bar.clientWidth;
    strip.hidden = end.hidden = !expected;
    keyed(bar, powers, ([power]) => power, () => el("span"), (element, [power, { share, value }]) => {
      part(element, power, share, `${titled(power)}: ${percent(share)} of the board, ${points(value)} points`);
      element.textContent = pixels(share) >= COUNTED ? `${letterOf(power)}${centresOf(power)}` : pixels(share) >= LETTERED ? letterOf(power) : "";
    });
    keyed(strip, expected ? powers : [], ([power]) => power, () => el("span"), (element, [power, { expect }]) => {
      part(element, power, expect.square, `${titled(power)}: ${percent(expect.square)} to be expected of the end`);
      element.textContent = pixels(expect.square) >= COUNTED ? percent(expect.square) : "";
    });
    if (told) bars.setAttribute("aria-label", sentences(powers, expected));
    if (details.open && told) values.replaceChildren(figures(powers));
  }

  const again = follow(element, (path) => get(`${path}/evaluation`), (news) => {
    waiting(bars, false);
    told = news;
    show();
  }, {
    pending: () => waiting(bars, true),
    failed: (error) => {
      told = null;
      show();
      values.replaceChildren(fault(error, again));
      details.open = true;
    },
  });
}

/** The centres of a power, beside its letter. */
const centresOf = (power) => {
  const count = store.branch(store.node?.id)?.centres[power];
  return count === undefined ? "" : `\u2009${count}`;
};

const letterOf = (power) => store.study.powers.find(({ name }) => name === power)?.letter ?? power.charAt(0);

function part(element, power, share, title) {
  const colour = colourOf(store.study, power);
  element.className = `part power-${colour}`;
  element.style.setProperty("--power-color", `var(--power-${colour})`);
  element.style.setProperty("--part", share);
  element.title = title;
}

/** The bars in words, the largest part first. */
function sentences(powers, expected) {
  const listed = (part) =>
    powers
      .map(([power, told]) => [power, part(told)])
      .filter(([, share]) => share >= 0.005)
      .sort(([, one], [, other]) => other - one)
      .map(([power, share]) => `${titled(power)} ${percent(share)}`)
      .join(", ");
  const shares = `Shares of the board: ${listed(({ share }) => share)}.`;
  return expected ? `${shares} To be expected of the end: ${listed(({ expect }) => expect.square)}.` : shares;
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
