/** Going through the phases: buttons, the course of the game as a timeline with what a review has found; and how near one is to the board. */

import { attempt } from "./api.js";
import { board } from "./board.js";
import { at, Course } from "./course.js";
import { button, el, titled } from "./dom.js";
import { findings } from "./findings.js";
import { reveal } from "./reveal.js";
import { store } from "./store.js";

const SEASONS = { S: "Spring", F: "Fall", W: "Winter" };
const KINDS = { M: "moves", R: "retreats", A: "builds" };

/** "Spring 1901, moves" of "S1901M". */
export function phaseName(phase) {
  if (phase === "COMPLETED") return "The end";
  const season = SEASONS[phase.charAt(0)];
  return season ? `${season} ${phase.slice(1, -1)}, ${KINDS[phase.slice(-1)] ?? ""}` : phase;
}

/** How far the wheel turns for one phase, in pixels, and how long until it may turn again. */
const TURN = 50;
const PAUSE_MS = 110;

/** Build the stepper in an element. */
export function mountStepper(element) {
  const { view } = board;
  // What was played on the line is shown, whichever it is.
  const go = (step) => attempt(() => store.goto(store.line().at(step), store.line()[step + 1]));
  const first = button("«", () => go(0), named("First phase", "Home"));
  const back = button("‹", () => attempt(() => store.step(-1)), named("Previous phase", "←"));
  const on = button("›", () => attempt(() => store.step(1)), named("Next phase", "→"));
  const last = button("»", () => go(store.line().length - 1), named("Last phase", "End"));
  const slider = el("input", { type: "range", min: 0, step: 1, "aria-label": "Phase" });
  const marks = el("span");
  const course = new Course();
  const timeline = el("div", { class: "timeline" }, course.element, slider, marks);
  const phase = el("output", { class: "phase" });
  const farther = button("−", () => view.farther(), { ...named("Zoom out", "−"), "aria-keyshortcuts": "-" });
  const nearer = button("+", () => view.nearer(), { ...named("Zoom in", "+"), "aria-keyshortcuts": "+" });
  const adjudicate = button("Adjudicate", () => store.adjudicate(), {
    class: "strong",
    "aria-keyshortcuts": "Shift+Enter",
    title: "Carry out the orders that are shown (Shift+Enter)",
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  element.append(first, back, timeline, on, last, el("div", { class: "now" }, farther, nearer, adjudicate));
  element.before(phase);

  const worded = (id) => [phaseName(store.branch(id).phase), course.told(id)].filter(Boolean).join("; ");

  function show() {
    if (!store.node) return;
    const steps = store.line();
    const now = steps.indexOf(store.node.id);
    slider.max = steps.length - 1;
    slider.value = now;
    slider.disabled = steps.length < 2;
    slider.setAttribute("aria-valuetext", worded(store.node.id));
    course.show(steps);
    phase.textContent = phaseName(store.node.phase);
    first.disabled = back.disabled = now === 0;
    on.disabled = last.disabled = now === steps.length - 1;
    const { play } = store.study;
    const live = store.live();
    adjudicate.textContent = reveal.shown ? "Next phase" : live ? (play.status === "waiting" ? "Submit" : "Waiting") : "Adjudicate";
    adjudicate.disabled = !reveal.shown && (live ? play.status !== "waiting" : !Object.keys(store.node.legal).length);
    document.title = `${store.study.name}: ${phase.textContent} (Bordeaux)`;
    showMarks(steps);
  }

  /** The turning points of a review, each over its phase. */
  function showMarks(steps) {
    const places = steps.map((id, n) => ({ n, points: findings.at(id) })).filter(({ points }) => points.length);
    marks.replaceChildren(
      ...places.map(({ n, points }) => {
        const told = points.map(({ glyph, power, phase: when }) => `${glyph} ${titled(power)}, ${phaseName(when)}`).join("; ");
        const marked = { class: "turn-mark", title: told, "aria-label": `Turning point: ${told}` };
        return at(button(points[0].glyph, () => findings.show(points[0]), marked), n, steps.length);
      }),
    );
  }

  const showZoom = () => (farther.disabled = !view.zoomed);
  let turned = 0;
  let rested = 0;
  timeline.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.shiftKey || !store.node || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
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

  store.on("study node chosen play", show);
  findings.on("change", show);
  reveal.on("change", show);
  view.on("change", showZoom);
  showZoom();
}

const named = (text, key) => ({ "aria-label": text, title: `${text} (${key})`, class: "step" });
