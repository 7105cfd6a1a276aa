/** Sit down against the engine, or any player of ours: in a game, whose turn it is, and the orders to hand in. */

import { attempt, post } from "../api.js";
import { asked } from "../dialog.js";
import { button, el, select, setting, tick, titled } from "../dom.js";
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
  const hint = button("Hint", askHint, { title: "What the engine would play; the game notes that you asked" });
  const hintNews = el("p", { class: "hint", role: "status" });
  const suggested = el("ul", { class: "answer-lines", "aria-label": "What the engine suggests" });
  const advice = el("div", { class: "answers" }, hintNews, suggested);
  const go = button("Go to the current phase", () => attempt(() => store.goto(stands().id)), { class: "quiet" });
  const offer = tick("I agree to a draw of all survivors", ({ target }) => (store.draw = target.checked));
  const draw = /** @type {HTMLInputElement} */ (offer.control);
  const faults = el("details", { class: "foldout" }, el("summary", { text: "Errors of the players" }), el("ul", { class: "hint" }));
  const seats = el("ul", { class: "seats", "aria-label": "Players" });
  const leave = button("Leave the game", ask, { class: "quiet danger" });
  const again = button("Another game", () => sitDown(), { class: "quiet" });
  const inside = el(
    "div",
    { class: "stack" },
    turn,
    offer,
    el("div", { class: "row" }, hint, go),
    advice,
    faults,
    el("details", { class: "foldout" }, el("summary", { text: "Players" }), seats),
    el("div", { class: "row" }, again, leave),
  );
  element.append(outside, inside);
  /** The path of the phase in which a hint was asked for. */
  let hintedAt = null;
  markLines(suggested);

  /** Where the game is played. */
  const stands = () => store.branch(store.study.play.node);

  /** Note that a hint was asked for, and let the engine look. */
  async function askHint() {
    const path = store.here;
    const powers = store.study.play.you.filter((power) => store.node.due?.[power]);
    hint.disabled = true;
    const noted = await attempt(() => post(`${store.path()}/play/hint`));
    hint.disabled = false;
    if (!noted || path !== store.here) return;
    hintedAt = path;
    await attempt(() => run.start({ powers, time: HINT_SECONDS, lines: 1 }));
    showHint();
  }

  function showHint() {
    const here = hintedAt !== null && store.here === hintedAt;
    const found = here ? run.findings(hintedAt) : undefined;
    const lines = Object.entries(found?.answers ?? {}).filter(([power]) => store.study.play?.you.includes(power));
    advice.hidden = !here;
    keyed(suggested, here ? lines : [], ([power]) => power, ([power]) => el("li", {}, lineButton(power)), (item, [, { orders }]) => setLine(item.firstElementChild, { orders }));
    const text = run.error && run.path === hintedAt ? run.error : found?.end ? "The engine suggests; click to use it." : "The engine is thinking.";
    if (hintNews.textContent !== text) hintNews.textContent = text;
  }

  function ask() {
    const heir = select([["", "nobody: the game ends"], ...store.about.players.map(({ spec, name }) => [spec, name])]);
    const fields = [el("p", { text: "The game stays as a study, for analysis and review." }), setting("Replaced by", heir)];
    asked("Leave the game?", "Leave", fields, () => {
      attempt(() => post(`${store.path()}/play/leave`, heir.value ? { player: heir.value } : {}));
    });
  }

  function show() {
    const play = store.study?.play ?? null;
    outside.hidden = Boolean(play);
    inside.hidden = !play;
    if (!play || !store.node) return;
    const last = stands();
    const here = store.node.id === last?.id;
    const due = play.you.filter((power) => store.node.due?.[power]);
    const mine = here && play.status === "waiting" && !play.over;
    const text = [words(play, last ?? store.node, here, mine, due), helped(play)].filter(Boolean).join(" ");
    if (turn.textContent !== text) turn.textContent = text;
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
    const player = (power) => el("span", { class: "muted", text: play.you.includes(power) ? "you" : playerName(play.players[power]) });
    seats.replaceChildren(...store.powers.map((power) => el("li", {}, powerName(power), player(power))));
  }

  store.on("study node draft play", show);
  run.on("change", showHint);
  show();
}

function words(play, last, here, mine, due) {
  if (play.over) return `${ended(store.study)}.`;
  const you = `You play ${play.you.map(titled).join(" and ")}.`;
  if (!here) return `${you} The game is at ${phaseName(last.phase)}.`;
  const now = mine ? (due.length ? "enter your orders" : "you have nothing to order; submit to go on") : "waiting for the others";
  return `${you} ${phaseName(last.phase)}: ${now}.`;
}

/** In which phases the engine was asked; said while one plays, and of a game that is over. */
const helped = ({ hints = [] }) => (hints.length ? `Hints used: ${hints.length} (${hints.map(phaseName).join("; ")}).` : "");
