/** The file of games that the server was started with: what was played next in those that came through a position, how they ended, and any of them to open. */

import { attempt, get, post } from "../api.js";
import { button, el, titled } from "../dom.js";
import { store } from "../store.js";
import { fault, follow, waiting } from "./follow.js";
import { keyed } from "./keyed.js";
import { keyOf, lineButton, setLine } from "./lines.js";
import { many, percent } from "./numbers.js";
import { narrowing, solo } from "./narrowing.js";
import { powerName } from "./powers.js";
import { keep, kept } from "./settings.js";
import { table } from "./tables.js";

/** Games that are listed before more are asked for, and how many more. */
const FIRST = 6;
const MORE = 30;
/** Sets of orders of a power that are listed before more are asked for. */
const SETS = 3;

const counted = (count) => count.toLocaleString("en");

/**
 * The part of a panel that tells of recorded games; hidden where the server has none.
 * @param {{allows: function(string): boolean}} powers those that are shown
 * @returns {{element: HTMLElement, show: function(): void}} `show` follows other powers
 */
export function playedGames(powers) {
  const settings = { open: true, ...kept("played") };
  let limit = FIRST;
  const summary = el("summary");
  const filter = narrowing(ask);
  const next = el("div", { class: "answers", role: "group", "aria-label": "Played next" });
  const whole = new Set();
  let sets = {};
  const figures = el("div");
  const list = el("ul", { class: "played", "aria-label": "Recorded games that came here" });
  const more = button("", askMore, { class: "quiet" });
  const told = el("div", { class: "stack" }, filter.element, next, figures, list, more);
  const note = el("div", { role: "status" });
  const element = el("details", { class: "foldout", open: settings.open, hidden: true }, summary, note, told);
  element.addEventListener("toggle", () => keep("played", { open: element.open }));

  function ask() {
    limit = FIRST;
    again();
  }

  function askMore() {
    limit += MORE;
    again();
  }

  function show(news) {
    summary.textContent = `Recorded games here: ${counted(news.through)} of ${counted(news.all)}`;
    summary.title = `Games of ${news.file} that came to this very position`;
    told.hidden = news.through === 0;
    note.replaceChildren(
      ...(news.through ? [] : [el("p", { class: "hint", text: `No game of ${news.file} came to this position.` })]),
    );
    filter.show(news);
    sets = news.next;
    showNext();
    figures.replaceChildren(ends(news));
    keyed(list, news.games, ({ number }) => String(number), entry);
    more.hidden = news.games.length === news.chosen;
    more.textContent = `${counted(news.chosen - news.games.length)} more`;
  }

  function showNext() {
    const shown = Object.entries(sets).filter(([power]) => powers.allows(power));
    keyed(next, shown, ([power]) => `${store.study.id} ${power}`, ([power]) => setsOf(power, allOf), fillSets);
  }

  function fillSets(block, [power, lines]) {
    const listed = whole.has(power) ? lines : lines.slice(0, SETS);
    keyed(block.querySelector("ol"), listed, keyOf, () => el("li", {}, lineButton(power)), (item, line) => {
      setLine(item.firstElementChild, {
        orders: line.orders,
        figures: [
          [percent(line.part), "played"],
          [many(line.games), "games"],
          [line.centres.toFixed(1), "centres at the end"],
          [percent(line.solos / line.games), "solos"],
        ],
      });
    });
    block.lastElementChild.hidden = listed.length === lines.length;
    block.lastElementChild.textContent = `${lines.length - listed.length} more`;
  }

  function allOf(power) {
    whole.add(power);
    showNext();
  }

  const again = follow(element, (path) => get(`${path}/games?limit=${limit}${filter.query()}`), (news) => {
    waiting(told, false);
    show(news);
  }, {
    pending: () => waiting(told, true),
    failed: (error) => note.replaceChildren(fault(error, again)),
  });
  store.addEventListener("study", () => {
    element.hidden = !store.about?.games;
    if (!element.hidden) filter.adapt();
  });
  store.addEventListener("node", () => {
    limit = FIRST;
    whole.clear();
  });
  return { element, show: showNext };
}

/** The place for what a power played next. */
const setsOf = (power, more) =>
  el(
    "div",
    { class: "answer", role: "group", "aria-label": titled(power) },
    el("header", {}, powerName(power), el("span", { class: "muted", text: "played next" })),
    el("ol", { class: "answer-lines", "aria-label": `What ${titled(power)} played next` }),
    button("", () => more(power), { class: "quiet" }),
  );

/** How the games ended for each power. */
function ends({ file, chosen, powers }) {
  return table(
    `How ${chosen === 1 ? "one game" : `${counted(chosen)} games`} of ${file} ended`,
    ["Power", "Solos", "Survived", "Centres"],
    Object.entries(powers).map(([power, { games, solos, survived, centres }]) => [
      powerName(power),
      String(solos),
      percent(games ? survived / games : null),
      typeof centres === "number" ? centres.toFixed(1) : "–",
    ]),
    "figures",
  );
}

/** A game of the list, which opens as a study where it came through the position. */
function entry({ number, id, last, won, centres }) {
  const letter = (power) => store.study.powers.find(({ name }) => name === power)?.letter ?? power.charAt(0);
  const held = Object.entries(centres).sort(([, one], [, other]) => other - one);
  const name = id || `game ${number}`;
  const result = `${won ? solo(won) : "no solo"}, ${last.slice(1, 5)}`;
  return el(
    "li",
    {},
    button(name, () => attempt(() => open(number)), {
      class: "quiet",
      "aria-label": `Open ${name}: ${result}, ${held.map(([power, count]) => `${titled(power)} ${count}`).join(", ")}`,
    }),
    el("span", { class: "muted", text: result }),
    el("span", { class: "held", text: held.map(([power, count]) => `${letter(power)}\u00a0${count}`).join(" ") }),
  );
}

async function open(number) {
  const study = await post(`/api/games/${number}`, { phase: store.node.phase });
  await store.open(study.id, study.at);
}
