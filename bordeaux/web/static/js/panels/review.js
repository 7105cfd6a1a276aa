/** The review of the game: every phase searched for every power, and a report of what it found. */

import { attempt, post } from "../api.js";
import { dialog } from "../dialog.js";
import { button, el } from "../dom.js";
import { store } from "../store.js";

export const id = "review";
export const title = "Review";

const TIMES = [0.1, 0.2, 0.5, 1, 2, 5];

export function mount(element) {
  const progress = new Map();
  const time = el("select", {}, ...TIMES.map((each) => el("option", { value: each, text: `${each} s` })));
  time.value = "0.2";
  const begin = button("Review the game", start, { class: "strong" });
  const bar = el("progress", { max: 1, value: 0, "aria-label": "How far the review is" });
  const news = el("p", { class: "news", role: "status" });
  const report = el("a", { class: "button", target: "_blank", rel: "noopener", text: "Open the report" });
  const look = button("Read it here", read);
  const done = el("div", { class: "row" }, report, look);
  element.append(
    el("p", {
      class: "hint",
      text: "The engine searches every phase of the main line for every power: accuracy, turning points, and the orders that were missed.",
    }),
    el("div", { class: "row" }, begin, el("label", { class: "field" }, el("span", { text: "with" }), time, el("span", { text: "a phase" }))),
    bar,
    news,
    done,
  );

  async function start() {
    begin.disabled = true;
    const study = store.study.id;
    const answer = await attempt(() => post(`${store.path()}/review`, { time: Number(time.value) }));
    if (answer !== null) progress.set(study, { done: 0, all: null });
    show();
  }

  function heard(event) {
    progress.set(store.study.id, event.detail);
    show();
  }

  function read() {
    dialog("Review", el("iframe", { src: report.href, title: "Review of the game" })).classList.add("report");
  }

  function show() {
    const state = store.study ? progress.get(store.study.id) : undefined;
    const phases = store.study?.nodes.length ?? 0;
    const running = Boolean(state && !state.error && (state.all === null || state.done < state.all));
    const ready = Boolean(state && !state.error && state.all !== null && state.done >= state.all);
    begin.disabled = running || phases < 2;
    begin.textContent = ready ? "Review it again" : "Review the game";
    bar.hidden = !running;
    if (state?.all) {
      bar.max = state.all;
      bar.value = state.done;
    } else {
      bar.removeAttribute("value");
    }
    done.hidden = !ready;
    if (store.study) report.href = `${store.path()}/review.html`;
    const text = words(state, phases, running, ready);
    if (news.textContent !== text) news.textContent = text;
  }

  store.addEventListener("study", show);
  store.addEventListener("review", heard);
  show();
}

function words(state, phases, running, ready) {
  if (state?.error) return state.error;
  if (running) return state.all === null ? "The review begins" : `${state.done} of ${state.all} phases`;
  if (ready) return "The report is ready.";
  return phases < 2 ? "There is no game to review yet: nothing has been played." : "";
}
