/** Sit down against the engine, or any player of ours: in a game, whose turn it is, and the orders to hand in. */

import { attempt, post } from "../api.js";
import { dialog } from "../dialog.js";
import { button, el, titled } from "../dom.js";
import { ended } from "../result.js";
import { store } from "../store.js";
import { keyed } from "./keyed.js";
import { lineButton, markLines, setLine } from "./lines.js";
import { sitDown } from "./sit-down.js";
import { powerName } from "./powers.js";
import { run } from "./run.js";
import { phaseName } from "../stepper.js";

export const id = "play";
export const title = "Play";

/** Seconds that the engine has for a hint. */
const HINT_SECONDS = 3;

/** The name of a player's spec, with whatever press it uses. */
function playerName(spec) {
  const plain = spec?.replace(/(press=\d+|character=[a-z-]+),?/g, "").replace(/[:,]$/, "");
  return store.about.players.find((player) => player.spec === plain)?.name ?? spec ?? "nobody";
}

export function mount(element) {
  const outside = el(
    "div",
    { class: "stack" },
    el("p", { class: "hint", text: "Play a new game against the engine, or other players of ours. It is saved as it goes." }),
    el("div", {}, button("New game", () => sitDown(), { class: "strong" })),
  );
  const turn = el("p", { class: "turn", role: "status" });
  const owed = el("ul", { class: "owed" });
  const hand = button("Submit orders", submit, { class: "strong" });
  const hint = button("Hint", askHint, { title: "What the engine would play; the game notes that you asked" });
  const hintNews = el("p", { class: "hint", role: "status" });
  const suggested = el("ul", { class: "answer-lines", "aria-label": "What the engine suggests" });
  const advice = el("div", { class: "answers" }, hintNews, suggested);
  const go = button("Go to the current phase", () => attempt(() => store.goto(stands().id)), { class: "quiet" });
  const draw = el("input", { type: "checkbox", on: { change: () => (store.draw = draw.checked) } });
  const offer = el("label", { class: "switch" }, draw, "I agree to a draw of all survivors");
  const faults = el("details", { class: "foldout" }, el("summary", { text: "Errors of the players" }), el("ul", { class: "hint" }));
  const seats = el("ul", { class: "seats", "aria-label": "Players" });
  const leave = button("Leave the game", ask, { class: "quiet danger" });
  const again = button("Another game", () => sitDown(), { class: "quiet" });
  const inside = el(
    "div",
    { class: "stack" },
    turn,
    owed,
    offer,
    el("div", { class: "row" }, hand, hint, go),
    advice,
    faults,
    el("details", { class: "foldout" }, el("summary", { text: "Players" }), seats),
    el("div", { class: "row" }, again, leave),
  );
  element.append(outside, inside);
  let handedIn = null;
  /** The path of the phase in which a hint was asked for. */
  let hintedAt = null;
  markLines(suggested);

  /** Where the game is played. */
  const stands = () => store.branch(store.study.play.node);

  async function submit() {
    const node = store.node.id;
    handedIn = node;
    hintedAt = null;
    show();
    if (!(await store.adjudicate()) && handedIn === node) handedIn = null;
    show();
  }

  /** Note that a hint was asked for, and let the engine look. */
  async function askHint() {
    const path = store.path(store.node.id);
    const powers = store.study.play.you.filter((power) => store.node.due?.[power]);
    hint.disabled = true;
    const noted = await attempt(() => post(`${store.path()}/play/hint`));
    hint.disabled = false;
    if (!noted || path !== store.path(store.node.id)) return;
    hintedAt = path;
    await attempt(() => run.start({ powers, time: HINT_SECONDS, lines: 1, book: true }));
    showHint();
  }

  function showHint() {
    const here = store.node && store.path(store.node.id) === hintedAt;
    const found = here ? run.findings(hintedAt) : undefined;
    const lines = Object.entries(found?.answers ?? {}).filter(([power]) => store.study.play?.you.includes(power));
    advice.hidden = !here;
    keyed(suggested, here ? lines : [], ([power]) => power, ([power]) => el("li", {}, lineButton(power)), (item, [, { orders }]) => setLine(item.firstElementChild, { orders }));
    const text = run.error && run.path === hintedAt ? run.error : found?.end ? "The engine suggests; click to use it." : "The engine is thinking.";
    if (hintNews.textContent !== text) hintNews.textContent = text;
  }

  function ask() {
    const heir = el(
      "select",
      {},
      el("option", { value: "", text: "nobody: the game ends" }),
      ...store.about.players.map(({ spec, name }) => el("option", { value: spec, text: name })),
    );
    const go = () => {
      box.close();
      attempt(() => post(`${store.path()}/play/leave`, heir.value ? { player: heir.value } : {}));
    };
    const box = dialog(
      "Leave the game?",
      el("p", { text: "The game stays as a study, for analysis and review." }),
      el("label", { class: "setting" }, el("span", { class: "what", text: "Replaced by" }), heir),
      el("div", { class: "row dialog-foot" }, button("Leave", go, { class: "strong" }), button("Stay", () => box.close())),
    );
  }

  function show() {
    const play = store.study?.play ?? null;
    outside.hidden = Boolean(play);
    inside.hidden = !play;
    if (!play || !store.node) return;
    const last = stands();
    const here = store.node.id === last?.id;
    const due = play.you.filter((power) => store.node.due?.[power]);
    const mine = here && play.status === "waiting" && !play.over && handedIn !== last.id;
    const text = [words(play, last ?? store.node, here, mine, due), helped(play)].filter(Boolean).join(" ");
    if (turn.textContent !== text) turn.textContent = text;
    owed.replaceChildren(...(mine ? due.map(owes) : []));
    hand.hidden = !mine;
    hint.hidden = !mine || !due.length;
    showHint();
    // Who does not talk agrees to nothing.
    draw.checked = store.draw;
    offer.hidden = !mine || !play.level || store.node.due?.[due[0]]?.kind !== "M";
    go.hidden = here || !last;
    faults.hidden = !play.faults?.length;
    faults.lastElementChild.replaceChildren(...(play.faults ?? []).map((text) => el("li", { text })));
    leave.hidden = Boolean(play.over);
    again.hidden = !play.over;
    seats.replaceChildren(
      ...store.study.powers.map(({ name }) =>
        el("li", {}, powerName(name), el("span", { class: "muted", text: play.you.includes(name) ? "you" : playerName(play.players[name]) })),
      ),
    );
  }

  for (const event of ["study", "node", "draft", "play"]) store.addEventListener(event, show);
  run.addEventListener("change", showHint);
  show();
}

function words(play, last, here, mine, due) {
  if (play.over) return `${ended(store.study)}.`;
  const you = play.you.map(titled).join(" and ");
  if (!mine && here) return `You play ${you}. ${phaseName(last.phase)}: waiting for the others.`;
  if (!here) return `You play ${you}. The game is at ${phaseName(last.phase)}.`;
  return due.length ? `You play ${you}. ${phaseName(last.phase)}: enter your orders.` : `You play ${you}. ${phaseName(last.phase)}: you have nothing to order; submit to go on.`;
}

/** In which phases the engine was asked; said while one plays, and of a game that is over. */
function helped({ hints = [] }) {
  if (!hints.length) return "";
  return `Hints used: ${hints.length} (${hints.map(phaseName).join("; ")}).`;
}

/** What a power has still to order. */
function owes(power) {
  const { kind, count } = store.node.due[power];
  const given = (store.node.draft[power] ?? []).length;
  const rest = Math.max(0, count - given);
  const missing = { M: "hold", R: "disband", build: "are not built", disband: "are chosen for you" }[kind] ?? "are left out";
  const text = rest ? `${given} of ${count} ordered; without orders ${rest} ${rest === 1 ? missing.replace(/^are /, "is ").replace(/^(hold|disband)$/, "$1s") : missing}` : `${given} of ${count} ordered`;
  return el("li", {}, powerName(power), el("span", { class: rest ? "" : "muted", text }));
}
