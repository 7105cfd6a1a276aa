/** What recorded games may be narrowed down to: how they ended, what became of a power, when they ended. */

import { button, el, titled } from "../dom.js";
import { store } from "../store.js";

const NOBODY = "nobody";
const RESULTS = { "": "any result", solo: "won alone", survived: "survived", eliminated: "eliminated" };

/** A solo as people say it. */
export const solo = (name) => (name === NOBODY ? "no solo" : `a solo of ${titled(name)}`);

/**
 * The fields of a filter.
 * @param {function(): void} changed called when another one is wanted
 */
export function narrowing(changed) {
  const select = (name) => el("select", { "aria-label": name, on: { change } });
  const number = (name) => el("input", { type: "number", min: 0, max: 999999, class: "few", "aria-label": name, on: { change } });
  const won = select("Result");
  const power = select("Power");
  const result = select("Its result");
  const least = number("At least so many centres");
  const most = number("At most so many centres");
  const since = number("Ended in this year or later");
  const until = number("Ended in this year or earlier");
  const all = button("All games", clear, { class: "quiet", hidden: true });
  const ofPower = [result, least, most];
  result.append(...Object.entries(RESULTS).map(([value, text]) => el("option", { value, text })));
  const fields = { won, power, result, least, most, since, until };
  const summary = el("summary", { text: "Filter" });
  const part = (...children) => el("span", { class: "field" }, ...children);
  const element = el(
    "details",
    { class: "foldout" },
    summary,
    el(
      "div",
      { class: "narrowing", role: "group", "aria-label": "Which games" },
      part("Result", won),
      part("Year", since, "to", until),
      part(power, result),
      part("Centres", least, "to", most),
      all,
    ),
  );

  function clear() {
    for (const field of Object.values(fields)) field.value = "";
    change();
  }

  function change() {
    for (const field of ofPower) {
      field.disabled = !power.value;
      if (!power.value) field.value = "";
    }
    all.hidden = !query();
    summary.textContent = query() ? "Filter (on)" : "Filter";
    // A field without a number starts no request.
    if (Object.values(fields).every((field) => field.checkValidity())) changed();
  }

  /** The filter as the end of an address: "" where all games are wanted. */
  function query() {
    const set = Object.entries(fields).filter(([, field]) => field.value !== "");
    return set.map(([name, field]) => `&${name}=${encodeURIComponent(field.value)}`).join("");
  }

  /** Offer what there is among the games that came to a position. */
  function show(news) {
    fill(won, [["", `any result (${news.through.toLocaleString("en")})`], ...names().filter((name) => news.won[name] || name === won.value).map((name) => [name, `${solo(name)} (${news.won[name] ?? 0})`])]);
    [since.placeholder, until.placeholder] = news.years ?? ["", ""];
  }

  const names = () => [...store.study.powers.map(({ name }) => name), NOBODY];

  /** Another study may be on a map of other powers. */
  function adapt() {
    for (const field of [won, power]) if (field.value && !names().includes(field.value)) field.value = "";
    fill(power, [["", "any power"], ...store.study.powers.map(({ name }) => [name, titled(name)])]);
    for (const field of ofPower) field.disabled = !power.value;
  }

  return { element, query, show, adapt };
}

/** Give a choice other options; what is chosen stays. */
function fill(choice, options) {
  const chosen = choice.value;
  choice.replaceChildren(...options.map(([value, text]) => el("option", { value, text })));
  choice.value = chosen;
}
