/** The engine beside the board: what it finds for each power, while it finds it. */

import { attempt, notify } from "../api.js";
import { button, el, intoSight, select, tick } from "../dom.js";
import { store } from "../store.js";
import { whatIfs } from "./agreements.js";
import { Answer } from "./answer.js";
import { waiting } from "./follow.js";
import { keyed, painter } from "./keyed.js";
import { markLines } from "./lines.js";
import { duration, many } from "./numbers.js";
import { powerChoice } from "./powers.js";
import { run } from "./run.js";
import { kept, keep } from "./settings.js";

export const id = "engine";
export const title = "Engine";

const LIMITS = [1, 3, 10, 30, 120, 600];
const LINES = [1, 2, 3, 4, 5, 8, 12];
const ENDS = {
  limit: "Done",
  stopped: "Stopped",
  superseded: "Stopped: another analysis has begun",
  error: "Stopped: the search failed",
};
const NOBODY = "They have nothing to order here.";
const SEARCHES = [["learnt", "learnt"], ["paper", "paper"]];
const SEARCHES_TOLD = "learnt: what learnt nets propose, measured by learnt values. paper: the search of Hall and Loeb";
/** Waits for the reader to finish changing things, and for quick steps through a game. */
const PATIENCE_MS = 250;

export function mount(element) {
  const settings = { time: 30, lines: 3, follow: true, search: "learnt", ...kept(id) };
  /** A card of each power, which stays as it was opened. */
  const cards = new Map();
  let timer = 0;
  let path = null;

  /** What a change of a control means: `read` gives what is set by it. */
  const sets = (read, then = restart) => ({ target }) => {
    Object.assign(settings, read(target));
    keep(id, settings);
    then();
  };
  const start = button("Start", press, { class: "strong" });
  const lines = select(
    LINES.map((count) => [count, count === 1 ? "1 line" : `${count} lines`]),
    { "aria-label": "Lines for each power", on: { change: sets(({ value }) => ({ lines: Number(value) })) } },
    settings.lines,
  );
  const limit = select(
    [...LIMITS.map((time) => [time, time < 60 ? `${time} s` : `${time / 60} min`]), ["", "until stopped"]],
    { "aria-label": "How long the engine thinks", on: { change: sets(({ value }) => ({ time: value ? Number(value) : null })) } },
    settings.time ?? "",
  );
  const search = select(
    SEARCHES,
    { "aria-label": "Which search", title: SEARCHES_TOLD, on: { change: sets(({ value }) => ({ search: value })) } },
    settings.search,
  );
  const follow = tick("follow the board", sets(({ checked }) => ({ follow: checked }), moved), settings.follow);
  const powers = powerChoice("Powers that the engine thinks for", () => {
    paint();
    restart();
  });
  const ifs = whatIfs(() => {
    showIfs();
    restart();
  });
  const ifsTitle = el("summary", { text: "What if" });
  const stats = el("span", { class: "statistics hint number" });
  const news = el("p", { class: "news grow", role: "status" });
  const here = button("Analyse this position", () => begin(), { class: "quiet" });
  const best = button("Use the best orders of all", () => store.setDraft(ordersOf(run.findings(path))), { class: "quiet" });
  const answers = el("div", { class: "answers" });
  const paint = painter(show);
  const rest = el(
    "div",
    { class: "options stack", hidden: true, id: "engine-options" },
    el("div", { class: "row" }, lines, el("label", { class: "field" }, "search", search), follow),
    el("details", { class: "foldout" }, ifsTitle, ifs.element),
  );
  const options = button("⋯", showOptions, { class: "quiet", title: "Options", "aria-label": "Options", "aria-controls": rest.id, "aria-expanded": "false" });

  element.classList.add("engine");
  element.append(
    el("div", { class: "row controls" }, start, limit, powers.element, options),
    rest,
    el("div", { class: "row progress" }, news, stats, here),
    answers,
    best,
  );
  markLines(answers);

  function showOptions() {
    rest.hidden = !rest.hidden;
    options.setAttribute("aria-expanded", String(!rest.hidden));
  }

  function question() {
    const { search, time, lines } = settings;
    const given = ifs.given();
    const agreements = ifs.agreements();
    return { powers: due(), ...(given && { given }), ...(agreements.length && { agreements }), search, time, lines };
  }

  /** The chosen powers that have orders to give here. */
  const due = () => Object.keys(store.node?.due ?? {}).filter((power) => powers.allows(power));
  const idle = () => !due().length;

  function begin(on = false) {
    clearTimeout(timer);
    if (!store.node) return;
    if (idle()) notify(NOBODY);
    else attempt(() => run.start(question(), on));
    // On a phone the board stays, and the lines come into sight under it.
    const { width, height } = document.getElementById("table").getBoundingClientRect();
    if (width === innerWidth) scrollBy({ top: element.getBoundingClientRect().top - height });
  }

  function press() {
    if (run.running) attempt(() => run.stop());
    else begin(run.path === path);
  }

  /** Search again with what has changed, if it runs, or go along if the board has just moved. */
  function restart() {
    clearTimeout(timer);
    timer = setTimeout(() => (run.wanted && run.path === path ? begin() : follows()), PATIENCE_MS);
  }

  /** The best orders of the chosen powers. */
  function ordersOf(found) {
    const wanted = Object.entries(found?.answers ?? {}).filter(([power]) => powers.allows(power));
    return Object.fromEntries(wanted.map(([power, { orders }]) => [power, orders]));
  }

  function moved() {
    const before = path;
    path = store.here;
    if (path !== before || settings.follow) {
      clearTimeout(timer);
      timer = setTimeout(follows, PATIENCE_MS);
    }
    paint();
  }

  function follows() {
    if (!settings.follow || !run.wanted || run.path === path || !path) return;
    if (idle()) paint();
    else begin();
  }

  function drafted() {
    if (ifs.given()) restart();
    showIfs();
    // The power that is ordered comes into sight.
    const ordered = cards.get(store.ordered)?.element;
    if (ordered?.isConnected && !answers.matches(":hover")) intoSight(element, ordered);
  }

  function showIfs() {
    const count = ifs.count();
    ifsTitle.textContent = count ? `What if (${count})` : "What if";
    options.textContent = count ? `⋯ ${count}` : "⋯";
  }

  function show() {
    const found = run.findings(path);
    start.textContent = run.running ? "Stop" : found?.stats && run.path === path ? "Go on" : "Start";
    stats.textContent = found?.stats?.nodes ? searched(found.stats) : "";
    const elsewhere = run.wanted && run.path !== path;
    here.hidden = !elsewhere || idle();
    const text = told(found, elsewhere);
    if (news.textContent !== text) news.textContent = text;
    news.classList.toggle("fault", Boolean(run.error || (run.running && store.lost)) && !elsewhere);
    const known = { ...found?.old, ...found?.answers };
    const inOrder = store.powers.filter((power) => known[power] && powers.allows(power));
    best.hidden = inOrder.length < 2;
    store.advise(ordersOf(found));
    for (const power of inOrder) if (!cards.has(power)) cards.set(power, new Answer(power));
    keyed(answers, inOrder, (power) => power, (power) => cards.get(power).element, (element, power) => {
      waiting(element, !found.answers[power]);
      cards.get(power).show(known[power], inOrder.length === 1);
    });
  }

  function told(found, elsewhere) {
    if (!store.node) return "";
    if (idle()) return NOBODY;
    if (elsewhere) return `The engine is at ${run.findings(run.path)?.phase ?? "another position"}.`;
    if (run.error && run.path === path) return run.error;
    if (run.running) return store.lost ? "No connection to the engine" : "Thinking";
    if (!found) return "Start the engine to see the best orders of each power.";
    return ENDS[found.end] ?? "Stopped";
  }

  run.on("change", paint);
  store.on("map", () => {
    cards.clear();
    answers.replaceChildren();
  });
  store.on("node", moved);
  store.on("draft", drafted);
  store.on("connection", paint);
  moved();
}

/** How much was searched, in one line. */
const searched = ({ depth, nodes, nps, seconds }) => `depth ${depth} · ${many(nodes)} nodes · ${many(nps)}/s · ${duration(seconds)}`;
