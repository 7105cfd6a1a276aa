/** The dialog in which a game is set up: whose seat, who plays the others, how long they think, how much is said. */

import { attempt, post } from "../api.js";
import { dialog } from "../dialog.js";
import { el, titled } from "../dom.js";
import { store } from "../store.js";
import { powerName } from "./powers.js";
import { keep, kept } from "./settings.js";

const YOU = "you";
/** The choice of a seat that is drawn by lot. */
const LOT = "lot";
const TIMES = [0.1, 0.5, 1, 3, 10, 30];
/** Levels of the language, each with what it adds. */
const LEVELS = [
  [0, "no press"],
  [10, "peace, alliances, draws"],
  [20, "and single orders"],
  [30, "and packages"],
  [40, "and divisions of centres"],
  [50, "and choices"],
  [60, "and questions and suggestions"],
  [70, "and questions about units"],
  [80, "and explanations"],
  [90, "and spans of time"],
  [100, "and conditions"],
  [110, "and favours"],
  [120, "and letters passed on"],
  [130, "and reasons: everything"],
];

/** The player that talks only if an option gives its level, and the characters that it may have. */
const TALKER = "bordeaux";
const CHARACTERS = [
  ["honest", "honest"],
  ["tit-for-tat", "tit for tat"],
  ["opportunist", "an opportunist"],
];

const field = (text, control, hint = "") =>
  el("label", { class: "setting" }, el("span", { class: "what", text }), control, hint ? el("span", { class: "hint", text: hint }) : null);

const select = (options, value) => {
  const element = el("select", {}, ...options.map(([key, text]) => el("option", { value: key, text })));
  element.value = value;
  if (element.selectedIndex < 0) element.selectedIndex = 0;
  return element;
};

/** Open the dialog; a game that is begun is opened on the page. */
export function sitDown() {
  const powers = store.study.powers.map(({ name }) => name);
  const specs = store.about.players.map(({ spec }) => spec);
  const offered = store.about.players.map(({ spec, name }) => [spec, name]);
  const before = { seat: powers[2] ?? powers[0], other: specs.includes("bordeaux") ? "bordeaux" : specs[0], time: 1, level: 0, character: "honest", until: "", ...kept("play") };

  const seat = select([[LOT, "Random"], ...powers.map((power) => [power, titled(power)])], before.seat);
  const other = select(offered, before.other);
  const told = el("span", { class: "hint" });
  const time = select(TIMES.map((each) => [each, `${each} s`]), before.time);
  const level = select(LEVELS.map(([each, text]) => [each, `${each}: ${text}`]), before.level);
  const character = select(CHARACTERS, before.character);
  const characters = field("Bordeaux is", character);
  const until = el("input", { type: "number", min: 1, step: 1, placeholder: "no limit", value: before.until, inputmode: "numeric" });
  const seed = el("input", { type: "number", min: 0, step: 1, placeholder: "by chance", inputmode: "numeric" });
  const each = new Map(powers.map((power) => [power, select([["", "as above"], [YOU, "you"], ...offered], "")]));
  const begin = el("button", { type: "submit", class: "strong", text: "Start" });

  const drawn = () => (seat.value === LOT ? powers[Math.floor(Math.random() * powers.length)] : seat.value);
  const chosen = () => powers.filter((power) => power !== seat.value).map((power) => each.get(power).value || other.value);
  const ours = (spec) => spec.split(":")[0] === TALKER;
  const spoken = (spec) =>
    ours(spec) && level.value !== "0" ? `${spec}${spec === TALKER ? ":" : ","}press=${level.value},character=${character.value}` : spec;

  function showOther() {
    characters.hidden = level.value === "0" || !chosen().some(ours);
    const player = store.about.players.find(({ spec }) => spec === other.value);
    told.textContent = player ? `${player.told}; in commands: ${player.spec}` : "";
    for (const [power, choice] of each) choice.disabled = power === seat.value;
  }
  showOther();

  async function submit(event) {
    event.preventDefault();
    const mine = drawn();
    const players = Object.fromEntries(powers.map((power) => [power, power === mine ? YOU : spoken(each.get(power).value || other.value)]));
    keep("play", { seat: seat.value, other: other.value, time: time.value, level: level.value, character: character.value, until: until.value });
    begin.disabled = true;
    const study = await attempt(() =>
      post("/api/play", {
        players,
        time: Number(time.value),
        level: Number(level.value),
        until: until.value ? Number(until.value) : null,
        map: store.study.map,
        ...(seed.value === "" ? {} : { seed: Number(seed.value) }),
      }),
    );
    begin.disabled = false;
    if (!study) return;
    box.close();
    await attempt(() => store.open(study.id));
  }

  const form = el(
    "form",
    { class: "sit-down", on: { submit, change: showOther } },
    field("Your seat", seat),
    field("Opponents", other),
    told,
    field("Time per phase", time, "for each; they think one after the other"),
    field("Press", level),
    characters,
    field("Last year", until),
    el(
      "details",
      { class: "foldout" },
      el("summary", { text: "Each seat, and the seed" }),
      ...powers.map((power) => el("label", { class: "setting" }, powerName(power), each.get(power))),
      field("Seed", seed, "of what players draw; the same gives the same play if they count nodes"),
    ),
    el("div", { class: "row dialog-foot" }, begin),
  );
  const box = dialog("New game", form);
}
