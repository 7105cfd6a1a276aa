/** The file of games that the server was started with: what was played next in those that came through a position, how they ended, and any of them to open. */

import { attempt, get, post } from "../api.js";
import { button, el, letterOf, titled } from "../dom.js";
import { store } from "../store.js";
import { follow } from "./follow.js";
import { keyed } from "./keyed.js";
import { SetLists } from "./lines.js";
import { many, percent, table } from "./numbers.js";
import { powerName } from "./powers.js";
import { keep, kept } from "./settings.js";

/** Games that are listed before more are asked for, and how many more. */
const FIRST = 6;
const MORE = 30;
/** Until the file is read it is asked for again after so long. */
const AGAIN_MS = 1000;
/** Sets of orders of a power that are listed before more are asked for. */
const SETS = 3;

const hint = (text) => el("p", { class: "hint", text });
const counted = (count) => count.toLocaleString("en");

/**
 * The part of a panel that tells of recorded games; hidden where the server has none.
 * @param {{allows: function(string): boolean}} powers those that are shown
 * @returns {{element: HTMLElement, show: function(): void}} `show` follows other powers
 */
export function playedGames(powers) {
  let limit = FIRST;
  const summary = el("summary");
  const next = new SetLists("Played next by", lineOf, { most: SETS, beside: "played next" });
  let sets = {};
  const figures = el("div");
  const list = el("ul", { class: "played", "aria-label": "Recorded games that came here" });
  const more = button("", askMore, { class: "quiet small" });
  const told = el("div", { class: "stack" }, next.element, figures, list, more);
  const note = el("div", { role: "status" });
  const element = el("details", { class: "foldout", open: kept("played").open ?? true, hidden: !store.about.games }, summary, note, told);
  element.addEventListener("toggle", () => keep("played", { open: element.open }));

  function askMore() {
    limit += MORE;
    again();
  }

  function show(news) {
    summary.textContent = `Recorded games here: ${counted(news.through)} of ${counted(news.all)}`;
    summary.title = `Games of ${news.file} that came to this very position`;
    note.replaceChildren(...(news.through ? [] : [hint(`No game of ${news.file} came to this position.`)]));
    sets = news.next;
    showNext();
    figures.replaceChildren(ends(news));
    keyed(list, news.games, ({ number }) => String(number), entry);
    more.hidden = news.games.length === news.chosen;
    more.textContent = `${counted(news.chosen - news.games.length)} more`;
  }

  const showNext = () => next.show(sets, powers.allows);

  const again = follow(element, (path) => get(`${path}/games?limit=${limit}`), (news) => {
    told.hidden = !news?.through;
    if (news?.reading === undefined) return news && show(news);
    summary.textContent = "Recorded games";
    note.replaceChildren(hint(`Reading ${news.file}: ${counted(news.reading)} games so far.`));
    setTimeout(again, AGAIN_MS);
  }, told, note);
  store.on("node", () => (limit = FIRST));
  return { element, show: showNext };
}

const lineOf = ({ orders, part, games, centres, solos }) => ({
  orders,
  figures: [
    [percent(part), "played"],
    [many(games), "games"],
    [centres.toFixed(1), "centres at the end"],
    [percent(solos / games), "solos"],
  ],
});

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
  );
}

/** A game of the list, which opens as a study where it came through the position. */
function entry({ number, id, last, won, centres }) {
  const held = Object.entries(centres).sort(([, one], [, other]) => other - one);
  const name = id || `game ${number}`;
  const result = `${won ? `a solo of ${titled(won)}` : "no solo"}, ${last.slice(1, 5)}`;
  const label = `Open ${name}: ${result}, ${held.map(([power, count]) => `${titled(power)} ${count}`).join(", ")}`;
  return el(
    "li",
    {},
    button(name, () => attempt(() => open(number)), { class: "quiet", "aria-label": label }),
    el("span", { class: "muted", text: result }),
    el("span", { text: held.map(([power, count]) => `${letterOf(store.study, power)}\u00a0${count}`).join(" ") }),
  );
}

async function open(number) {
  const study = await post(`/api/games/${number}`, { phase: store.node.phase });
  await store.open(study.id, study.at);
}
