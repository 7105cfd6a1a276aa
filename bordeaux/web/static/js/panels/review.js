/** The review of the game: made on request, told as turning points that lead to the board; the whole report beside it. */

import { attempt, get, post, shown } from "../api.js";
import { dialog } from "../dialog.js";
import { button, el, titled } from "../dom.js";
import { findings } from "../findings.js";
import { store } from "../store.js";
import { percent } from "./numbers.js";
import { points } from "./points.js";
import { mark } from "./powers.js";

export const id = "review";
export const title = "Review";

const NONE = { done: 0, all: 1, status: "none" };
/** Nodes for each power in each phase; the command without options takes as many as are chosen at first. */
const NODES = [5000, 15000, 50000, 150000];
const USUAL = 15000;

export function mount(element) {
  const states = new Map();
  /** By study, when this page first heard of a running review, and how many phases were done then. */
  const begun = new Map();
  const nodes = el("select", {}, ...NODES.map((each) => el("option", { value: each, text: each.toLocaleString("en") })));
  nodes.value = String(USUAL);
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
    el("p", {
      class: "hint",
      text: "The engine checks every phase of the main line: accuracy, turning points, better orders.",
    }),
    el("div", { class: "row" }, begin, el("label", { class: "field" }, el("span", { text: "with" }), nodes, el("span", { text: "nodes per power and phase" })), stop),
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
    const { status, done } = event.detail;
    states.set(study, event.detail);
    if (status !== "running") begun.delete(study);
    else if (!begun.has(study)) begun.set(study, { at: performance.now(), done });
    if (status === "done") findings.load();
    show();
  }

  /** How long the rest takes at the pace so far; "" until a phase was done while this page was open. */
  function remaining(done, all) {
    const first = begun.get(store.study.id);
    if (!first || done <= first.done) return "";
    const seconds = ((performance.now() - first.at) / 1000 / (done - first.done)) * (all - done);
    if (seconds >= 90) return `, about ${Math.round(seconds / 60)} minutes left`;
    return `, about ${5 * Math.max(1, Math.round(seconds / 5))} seconds left`;
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
    begin.textContent = { done: "Review it again", stopped: "Continue the review" }[status] ?? "Review the game";
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
    const text =
      phases < 2
        ? "Nothing to review yet: no orders have been played."
        : { running: done ? `${done} of ${all} phases${remaining(done, all)}` : "Starting", done: "The report is ready.", stopped: "The review was stopped. With the same nodes it continues.", failed: error }[status] ?? "";
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
        el("span", { class: "gain", title: titled(power) }, mark(power), el("span", { class: "unseen", text: titled(power) }), ` ${percent(Math.round(accuracy) / 100)}`),
        " ",
      ]),
    );
  }

  store.addEventListener("study", asked);
  store.addEventListener("review", heard);
  findings.addEventListener("change", showAccuracies);
  show();
}
