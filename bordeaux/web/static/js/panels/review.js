/** The review of the game: made on request, told as turning points that lead to the board; the whole report beside it. */

import { attempt, get, post, shown } from "../api.js";
import { dialog } from "../dialog.js";
import { button, el, mark, select, titled } from "../dom.js";
import { findings } from "../findings.js";
import { store } from "../store.js";
import { percent } from "./numbers.js";
import { points } from "./points.js";

export const id = "review";
export const title = "Review";

const NONE = { done: 0, all: 1, status: "none" };
/** Nodes for each power in each phase; the command without options takes as many as are chosen at first. */
const NODES = [5000, 15000, 50000, 150000];
const USUAL = 15000;

export function mount(element) {
  const states = new Map();
  const nodes = select(NODES.map((each) => [each, each.toLocaleString("en")]), {}, USUAL);
  const begin = button("Review the game", start, { class: "strong" });
  const stop = button("Stop", () => attempt(() => post(`${store.path()}/review/stop`)), { class: "quiet" });
  const bar = el("progress", { max: 1, value: 0, "aria-label": "Progress of the review" });
  const news = el("p", { class: "news", role: "status" });
  const report = el("a", { class: "button", target: "_blank", rel: "noopener", text: "Open the report" });
  const look = button("Read it here", read);
  const ready = el("div", { class: "row" }, report, look);
  const accuracies = el("p", { class: "accuracies hint" });
  const list = points();
  const head = el(
    "div",
    { class: "stack" },
    el("p", { class: "hint", text: "The engine checks every phase of the main line: accuracy, turning points, better orders." }),
    el("div", { class: "row" }, begin, el("label", { class: "field" }, "with", nodes, "nodes per power and phase"), stop),
    bar,
    news,
  );
  element.append(head, accuracies, list, ready);

  async function start() {
    begin.disabled = true;
    const study = store.study.id;
    const answer = await attempt(() => post(`${store.path()}/review`, { nodes: Number(nodes.value) }));
    if (answer !== null) states.set(study, { done: 0, all: 1, status: "running" });
    show();
  }

  function heard(event) {
    const study = store.study.id;
    states.set(study, event.detail);
    if (event.detail.status === "done") findings.load();
    show();
  }

  /** Ask how far it is: a page that was opened anew has heard nothing of it. */
  async function asked() {
    const study = store.study.id;
    findings.moved();
    if (!states.has(study)) {
      states.set(study, NONE);
      states.set(study, (await attempt(() => get(`/api/studies/${study}/review`))) ?? NONE);
    }
    if (store.study.id !== study) return;
    if (states.get(study).status === "done" && findings.powers === null) findings.load();
    show();
  }

  async function read() {
    const src = await attempt(() => shown(`${store.path()}/review.html`));
    if (src) dialog("Review", el("iframe", { src, title: "Review of the game" })).classList.add("report");
  }

  function show() {
    const { done, all, status, error } = states.get(store.study?.id) ?? NONE;
    const phases = store.study?.nodes.length ?? 0;
    begin.disabled = status === "running" || phases < 2;
    begin.textContent = status === "done" ? "Review it again" : "Review the game";
    begin.classList.toggle("strong", status !== "done");
    stop.hidden = status !== "running";
    bar.hidden = status !== "running";
    bar.max = all;
    if (done) bar.value = done;
    else bar.removeAttribute("value");
    ready.hidden = status !== "done";
    // Findings come before the ways to find more.
    element.classList.toggle("done", status === "done");
    if (status === "done") address();
    news.classList.toggle("fault", status === "failed");
    const told = { none: "", running: done ? `${done} of ${all} phases` : "Starting", done: "The report is ready.", failed: error };
    const text = phases < 2 ? "Nothing to review yet: no orders have been played." : told[status];
    if (news.textContent !== text) news.textContent = text;
    showAccuracies();
  }

  /** Where the report is to be opened; made anew after each review. */
  async function address() {
    const path = `${store.path()}/review.html`;
    const href = await attempt(() => shown(path));
    if (href && path === `${store.path()}/review.html`) report.href = href;
  }

  function showAccuracies() {
    const rated = Object.entries(findings.powers ?? {}).filter(([, { accuracy }]) => accuracy !== null);
    accuracies.hidden = !rated.length;
    accuracies.replaceChildren(
      "Accuracy ",
      ...rated.flatMap(([power, { accuracy }]) => [
        el("span", { class: "gain", title: titled(power) }, mark(store.study, power), el("span", { class: "unseen", text: titled(power) }), ` ${percent(Math.round(accuracy) / 100)}`),
        " ",
      ]),
    );
  }

  store.on("study", asked);
  store.on("review", heard);
  findings.on("change", showAccuracies);
  show();
}
