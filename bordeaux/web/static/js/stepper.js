/** Going through the phases: buttons, a slider, the wheel over the board. */

import { attempt } from "./api.js";
import { button, el } from "./dom.js";

const SEASONS = { S: "Spring", F: "Fall", W: "Winter" };
const KINDS = { M: "moves", R: "retreats", A: "adjustments" };

/** "Spring 1901, moves" of "S1901M". */
export function phaseName(phase) {
  if (phase === "COMPLETED") return "The end";
  const season = SEASONS[phase.charAt(0)];
  return season ? `${season} ${phase.slice(1, -1)}, ${KINDS[phase.slice(-1)] ?? ""}` : phase;
}

/** How far the wheel turns for one phase, in pixels, and how long until it may turn again. */
const TURN = 50;
const PAUSE_MS = 110;

/** Build the stepper in an element; the wheel turns over `board`. */
export function mountStepper(element, store, board) {
  const go = (place) => attempt(() => store.goto(place));
  const line = () => store.line();
  const first = button("«", () => go(line()[0]), named("First phase", "Home"));
  const back = button("‹", () => attempt(() => store.step(-1)), named("Phase before", "←"));
  const on = button("›", () => attempt(() => store.step(1)), named("Next phase", "→"));
  const last = button("»", () => go(line().at(-1)), named("Last phase", "End"));
  const slider = el("input", { type: "range", min: 0, step: 1, class: "grow", "aria-label": "Phase" });
  const phase = el("output", { class: "phase" });
  const adjudicate = button("Adjudicate", () => store.adjudicate(), {
    class: "strong",
    "aria-keyshortcuts": "Shift+Enter",
    title: "Carry out the orders that are shown (Shift+Enter)",
  });
  slider.addEventListener("input", () => go(line()[Number(slider.value)]));
  element.append(first, back, on, last, slider, phase, adjudicate);

  function show() {
    if (!store.node) return;
    const steps = line();
    const at = steps.indexOf(store.node.id);
    slider.max = steps.length - 1;
    slider.value = at;
    slider.disabled = steps.length < 2;
    slider.setAttribute("aria-valuetext", phaseName(store.node.phase));
    phase.textContent = phaseName(store.node.phase);
    first.disabled = back.disabled = at === 0;
    on.disabled = last.disabled = at === steps.length - 1;
    const { play } = store.study;
    const live = store.live();
    adjudicate.textContent = live ? "Hand in" : "Adjudicate";
    adjudicate.disabled = live ? play.status !== "waiting" : !Object.keys(store.node.legal).length;
    document.title = `${phaseName(store.node.phase)}: ${store.study.name} (Bordeaux)`;
  }

  let turned = 0;
  let rested = 0;
  board.addEventListener(
    "wheel",
    (event) => {
      // A large board is moved by the wheel.
      if (board.classList.contains("large") || event.ctrlKey || event.shiftKey || !store.node || element.offsetParent === null || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      event.preventDefault();
      if (event.timeStamp < rested) return;
      if (Math.sign(turned) !== Math.sign(event.deltaY)) turned = 0;
      turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : TURN);
      if (Math.abs(turned) < TURN) return;
      attempt(() => store.step(Math.sign(turned)));
      turned = 0;
      rested = event.timeStamp + PAUSE_MS;
    },
    { passive: false },
  );

  for (const name of ["study", "node", "chosen", "play"]) store.addEventListener(name, show);
}

function named(text, key) {
  return { "aria-label": text, title: `${text} (${key})`, class: "step" };
}
