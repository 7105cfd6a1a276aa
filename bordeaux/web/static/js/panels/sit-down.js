/** The dialog in which a game is set up: whose seat, who plays the others, how long they think, how much is said. */

import { attempt } from "../api.js";
import { asked } from "../dialog.js";
import { el, select, setting, titled } from "../dom.js";
import { store } from "../store.js";
import { powerName } from "./powers.js";
import { keep, kept } from "./settings.js";

const YOU = "you";
/** The choice of a seat that is drawn by lot. */
const LOT = "lot";
const TIMES = [0.1, 0.5, 1, 3, 10, 30];
/** What each level of the language adds. */
const LEVELS = [
  "no press", "peace, alliances, draws", "and single orders", "and packages", "and divisions of centres", "and choices",
  "and questions and suggestions", "and questions about units", "and explanations", "and spans of time", "and conditions",
  "and favours", "and letters passed on", "and reasons: everything",
].map((text, step) => [10 * step, `${10 * step}: ${text}`]);

/** The player that talks only if an option gives its level, and the characters that it may have. */
const TALKER = "bordeaux";
const CHARACTERS = Object.entries({ honest: "honest", "tit-for-tat": "tit for tat", opportunist: "an opportunist" });

/** Open the dialog; a game that is begun is opened on the page. */
export function sitDown() {
  const { powers } = store;
  const specs = store.about.players.map(({ spec }) => spec);
  const offered = store.about.players.map(({ spec, name }) => [spec, name]);
  const before = { seat: powers[2] ?? powers[0], other: specs.includes("bordeaux") ? "bordeaux" : specs[0], time: 1, level: 0, character: "honest", until: "", ...kept("play") };

  const seat = select([[LOT, "Random"], ...powers.map((power) => [power, titled(power)])], {}, before.seat);
  const other = select(offered, {}, before.other);
  const told = el("span", { class: "hint" });
  const time = select(TIMES.map((each) => [each, `${each} s`]), {}, before.time);
  const level = select(LEVELS, {}, before.level);
  const character = select(CHARACTERS, {}, before.character);
  const characters = setting("Bordeaux is", character);
  const until = el("input", { type: "number", min: 1, step: 1, placeholder: "no limit", value: before.until, inputmode: "numeric" });
  const seed = el("input", { type: "number", min: 0, step: 1, placeholder: "by chance", inputmode: "numeric" });
  const each = new Map(powers.map((power) => [power, select([["", "as above"], [YOU, "you"], ...offered])]));

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

  async function begin() {
    const mine = drawn();
    const players = Object.fromEntries(powers.map((power) => [power, power === mine ? YOU : spoken(each.get(power).value || other.value)]));
    keep("play", { seat: seat.value, other: other.value, time: time.value, level: level.value, character: character.value, until: until.value });
    const wanted = {
      players,
      time: Number(time.value),
      level: Number(level.value),
      until: until.value ? Number(until.value) : null,
      map: store.study.map,
      ...(seed.value !== "" && { seed: Number(seed.value) }),
    };
    return (await attempt(() => store.begin(wanted, "/api/play"))) !== null;
  }

  const fields = [
    setting("Your seat", seat),
    setting("Opponents", other),
    told,
    setting("Time per phase", time, "for each; they think one after the other"),
    setting("Press", level),
    characters,
    setting("Last year", until),
    el(
      "details",
      { class: "foldout" },
      el("summary", { text: "Each seat, and the seed" }),
      ...powers.map((power) => el("label", { class: "setting" }, powerName(power), each.get(power))),
      setting("Seed", seed, "of what players draw; the same gives the same play if they count nodes"),
    ),
  ];
  asked("New game", "Start", fields, begin).addEventListener("change", showOther);
}
