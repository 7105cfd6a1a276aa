/** The review of the game: every phase searched for every power, and a report of what it found. */

import { attempt, get, post } from "../api.js";
import { dialog } from "../dialog.js";
import { button, el } from "../dom.js";
import { store } from "../store.js";

export const id = "review";
export const title = "Review";

const NONE = { done: 0, all: 1, status: "none" };
/** Nodes for each power in each phase; the command without options takes as many as are chosen at first. */
const NODES = [5000, 15000, 50000, 150000];
const USUAL = 15000;

export function mount(element) {
  const states = new Map();
  const nodes = el("select", {}, ...NODES.map((each) => el("option", { value: each, text: each.toLocaleString("en") })));
  nodes.value = String(USUAL);
  const begin = button("Review the game", start, { class: "strong" });
  const stop = button("Stop", () => attempt(() => post(`${store.path()}/review/stop`)), { class: "quiet" });
  const bar = el("progress", { max: 1, value: 0, "aria-label": "How far the review is" });
  const news = el("p", { class: "news", role: "status" });
  const report = el("a", { class: "button", target: "_blank", rel: "noopener", text: "Open the report" });
  const look = button("Read it here", read);
  const ready = el("div", { class: "row" }, report, look);
  element.append(
    el("p", {
      class: "hint",
      text: "The engine searches every phase of the main line for every power: accuracy, turning points, and the orders that were missed.",
    }),
    el("div", { class: "row" }, begin, el("label", { class: "field" }, el("span", { text: "with" }), nodes, el("span", { text: "nodes for each power and phase" })), stop),
    bar,
    news,
    ready,
  );

  async function start() {
    begin.disabled = true;
    const study = store.study.id;
    const answer = await attempt(() => post(`${store.path()}/review`, { nodes: Number(nodes.value) }));
    if (answer !== null) states.set(study, { done: 0, all: 1, status: "running" });
    show();
  }

  function heard(event) {
    states.set(store.study.id, event.detail);
    show();
  }

  /** Ask how far it is: a page that was opened anew has heard nothing of it. */
  async function asked() {
    const study = store.study.id;
    if (!states.has(study)) {
      states.set(study, NONE);
      states.set(study, (await attempt(() => get(`/api/studies/${study}/review`))) ?? NONE);
    }
    show();
  }

  function read() {
    dialog("Review", el("iframe", { src: report.href, title: "Review of the game" })).classList.add("report");
  }

  function show() {
    const { done, all, status, error } = states.get(store.study?.id) ?? NONE;
    const phases = store.study?.nodes.length ?? 0;
    begin.disabled = status === "running" || phases < 2;
    begin.textContent = { done: "Review it again", stopped: "Go on with the review" }[status] ?? "Review the game";
    stop.hidden = status !== "running";
    bar.hidden = status !== "running";
    bar.max = all;
    if (done) bar.value = done;
    else bar.removeAttribute("value");
    ready.hidden = status !== "done";
    if (store.study) report.href = `${store.path()}/review.html`;
    news.classList.toggle("fault", status === "failed");
    const text =
      phases < 2
        ? "There is no game to review yet: nothing has been played."
        : { running: done ? `${done} of ${all} phases` : "The review begins", done: "The report is ready.", stopped: "The review was stopped. With the same nodes it goes on where it was.", failed: error }[status] ?? "";
    if (news.textContent !== text) news.textContent = text;
  }

  store.addEventListener("study", asked);
  store.addEventListener("review", heard);
  show();
}
