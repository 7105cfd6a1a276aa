/** Setting up a position by hand: units, centres, the phase, dislodged units. */

import { ApiError, attempt, notify, post } from "./api.js";
import { standing } from "./board.js";
import { choose } from "./choice.js";
import { badge, button, el, titled } from "./dom.js";
import { coastLabel } from "./words.js";

const PHASES = [
  ["SM", "Spring moves"],
  ["SR", "Spring retreats"],
  ["FM", "Fall moves"],
  ["FR", "Fall retreats"],
  ["WA", "Winter builds"],
];
const PIECES = [
  ["A", "Army"],
  ["F", "Fleet"],
  ["*A", "Dislodged army"],
  ["*F", "Dislodged fleet"],
  ["centre", "Centre"],
  ["erase", "Take away"],
];

/** The set-up editor: `open()` begins with the position that is shown. */
export function mountSetup(element, store, board, ordering) {
  let state = null;
  let answer = null;
  let power = null;
  let piece = "A";
  let changed = Promise.resolve(true);

  /** Ask the server what it makes of a state: a picture, or a fault. */
  async function examine(wanted) {
    return post(`${store.path()}/position`, { state: wanted });
  }

  async function open() {
    if (!store.node || state) return;
    const { units, centers, name, map } = store.node.state;
    await begin({ units, centers, name, ...(map ? { map } : {}) });
  }

  async function begin(wanted) {
    const first = state === null;
    if (!(await change(() => structuredClone(wanted), true))) return;
    power ??= store.study.powers[0].name;
    if (!first) return;
    ordering.cancel();
    ordering.paused = true;
    board.instead = () => Promise.resolve(answer.svg);
    document.body.classList.add("editing");
    element.hidden = false;
    show();
    board.draw();
    element.querySelector("input:checked").focus();
  }

  function close() {
    state = null;
    answer = null;
    board.instead = null;
    ordering.paused = false;
    element.hidden = true;
    document.body.classList.remove("editing");
    board.draw();
    store.goto(store.node.id, store.chosen);
  }

  /** Change the state, after the changes before; what the server refuses is told and changes nothing. */
  function change(act, quiet = false) {
    changed = changed.catch(() => {}).then(() => carryOut(act, quiet));
    return changed;
  }

  async function carryOut(act, quiet) {
    // Closed meanwhile.
    if (state === null && !quiet) return false;
    const wanted = act(structuredClone(state));
    try {
      answer = await examine(wanted);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notify(error.message, "bad");
      if (!quiet) show();
      return false;
    }
    state = wanted;
    if (!element.hidden) {
      show();
      board.draw();
    }
    return true;
  }

  function without(draft, province, dislodged) {
    for (const [owner, units] of Object.entries(draft.units)) {
      draft.units[owner] = units.filter(
        (unit) => unit.startsWith("*") !== dislodged || unit.replace("*", "").split(" ")[1].split("/")[0] !== province,
      );
    }
  }

  async function press({ place, event }) {
    if (piece === "erase") {
      await change((draft) => {
        without(draft, place, true);
        without(draft, place, false);
        return draft;
      });
    } else if (piece === "centre") {
      await change((draft) => {
        const owned = (draft.centers[power] ?? []).includes(place);
        for (const owner of Object.keys(draft.centers)) {
          draft.centers[owner] = draft.centers[owner].filter((each) => each !== place);
        }
        if (!owned) draft.centers[power] = [...(draft.centers[power] ?? []), place];
        return draft;
      });
    } else {
      const location = await locationOf(place, event);
      if (location === null) return;
      const unit = `${piece} ${location}`;
      await change((draft) => {
        // Units are dislodged in retreats alone: the phase goes along.
        if (piece.startsWith("*") && !draft.name.endsWith("R")) {
          draft.name = `${draft.name.startsWith("S") ? "S" : "F"}${draft.name.slice(1, -1)}R`;
        }
        const stood = (draft.units[power] ?? []).includes(unit);
        without(draft, place, piece.startsWith("*"));
        if (!stood) draft.units[power] = [...(draft.units[power] ?? []), unit];
        return draft;
      });
    }
  }

  async function locationOf(place, event) {
    const coasts = piece.endsWith("F") ? board.coastsOf(place) : [];
    if (!coasts.length) return place;
    const box = board.element.getBoundingClientRect();
    const at = event.clientX ? { x: event.clientX - box.left, y: event.clientY - box.top } : { x: 20, y: 20 };
    return choose(board.element, at, coasts.map((each) => ({ text: coastLabel(each), value: each })), "On which coast?");
  }

  function radio(name, value, chosen, label, pick) {
    const id = `setup-${name}-${value.replace("*", "dislodged-")}`;
    const input = el("input", { type: "radio", name: `setup-${name}`, id, value, checked: chosen, on: { change: pick } });
    return el("span", { class: "pick" }, input, el("label", { for: id }, ...label));
  }

  function show() {
    const { study } = store;
    const kept = document.activeElement?.id;
    const phase = state.name;
    const select = el(
      "select",
      { id: "setup-phase", on: { change: rephase } },
      ...PHASES.map(([value, text]) => el("option", { value, text, selected: value === phase.charAt(0) + phase.slice(-1) })),
    );
    const year = el("input", {
      id: "setup-year",
      type: "number",
      min: 1,
      max: 9999,
      value: phase.slice(1, -1),
      on: { change: rephase },
    });

    function rephase() {
      change((draft) => ({ ...draft, name: `${select.value.charAt(0)}${year.value}${select.value.charAt(1)}` }));
    }

    const powers = study.powers.map(({ name }) =>
      radio("power", name, name === power, [badge(study, name), titled(name), counted(name)], () => {
        power = name;
      }),
    );
    const pieces = PIECES.map(([value, text]) =>
      radio("piece", value, value === piece, [text], () => {
        piece = value;
      }),
    );
    element.replaceChildren(
      el("h2", { id: "setup-title", text: "Set up a position" }),
      el("p", { class: "muted", text: "Choose a power and a piece, then click provinces. The same click again takes it away." }),
      el("p", { class: "row" }, el("label", { for: "setup-phase", text: "Phase" }), select, el("label", { for: "setup-year", class: "unseen", text: "Year" }), year),
      el("fieldset", {}, el("legend", { text: "Power" }), ...powers),
      el("fieldset", {}, el("legend", { text: "Piece" }), ...pieces),
      el(
        "p",
        { class: "row" },
        button("Empty the board", () => change((draft) => ({ ...draft, units: {}, centers: {} }))),
        button("No units", () => change((draft) => ({ ...draft, units: {} })), { title: "Take all units away, leave the centres" }),
      ),
      el(
        "p",
        { class: "row ends" },
        button("Cancel", close),
        button("Study this position", finish, { class: "strong" }),
      ),
    );
    board.mark({ goal: new Set(), picked: new Set(), orderable: new Set() });
    board.describe((tag) => standing(answer, tag, board.names[tag]));
    if (kept) document.getElementById(kept)?.focus();
  }

  function counted(name) {
    const units = (state.units[name] ?? []).length;
    const centres = (state.centers[name] ?? []).length;
    return el("span", { class: "muted counted", text: `${units} units · ${centres} centres` });
  }

  async function finish() {
    await changed.catch(() => {});
    const wanted = answer.state;
    if (await attempt(() => store.begin({ state: wanted }, `${store.path()}/position/study`))) close();
  }

  board.addEventListener("press", ({ detail }) => state && press(detail));
  // Another study was opened meanwhile: what was set up belonged to this one.
  store.addEventListener("study", ({ detail }) => state && detail.id !== opened() && close());
  const opened = () => store.study.id;
  return { open, close: () => state && close(), editing: () => state !== null };
}
