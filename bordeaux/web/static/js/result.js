/** How the game of a study ended: told at its start and at its end, with the way to its review. */

import { attempt, post } from "./api.js";
import { badge, button, capital, el, titled } from "./dom.js";
import { findings } from "./findings.js";
import { store } from "./store.js";

/** How a game that was played here ended; the server names powers in capital letters. */
export function ended({ powers, play }) {
  return capital(powers.reduce((told, { name }) => told.replaceAll(name, titled(name)), play.over));
}

/** The power with more than half of all centres at a node of a study. */
export const winner = ({ powers }, { centres }, owners) => powers.find(({ name }) => 2 * centres[name] > owners)?.name;

/** What is said of the end of a game, by its main line. */
function ending(study, line, owners) {
  const { play } = study;
  const last = line.at(-1);
  const when = line.map(({ phase }) => Number(phase.slice(1, 5))).findLast(Boolean);
  const won = winner(study, last, owners);
  if (won) return `${titled(won)} won in ${when}`;
  if (play) return ended(study);
  return last.phase === "COMPLETED" ? `A draw in ${when}` : `No winner by ${when}`;
}

/** Keep the result in an element; `open(id)` opens a panel beside the board. */
export function mountResult(element, open) {
  const title = el("h2", { id: "result-title" });
  const centres = el("ul", { class: "counts", "aria-label": "Centres at the end" });
  const review = button("Review this game", reviewed, { class: "strong" });
  const go = button("", () => attempt(() => store.goto(other())), { class: "quiet" });
  element.append(el("header", { class: "row" }, title, centres), el("p", { class: "row" }, review, go));

  const other = () => (store.node.id === store.study.root ? store.after().at(-1) : store.study.root);

  async function reviewed() {
    open("review");
    if (findings.powers === null) await attempt(() => post(`${store.path()}/review`));
  }

  function show() {
    const { study, node } = store;
    if (!study || !node) return;
    const line = store.after().map((id) => store.branch(id));
    const last = line.at(-1);
    const over = study.play ? Boolean(study.play.over) : study.ended;
    element.hidden = !over || ![study.root, last.id].includes(node.id);
    if (element.hidden) return;
    title.textContent = ending(study, line, Object.keys(node.owners).length);
    const held = study.powers.filter(({ name }) => last.centres[name]).sort((one, next) => last.centres[next.name] - last.centres[one.name]);
    centres.replaceChildren(...held.map(({ name }) => el("li", { title: titled(name) }, badge(study, name), String(last.centres[name]))));
    review.textContent = findings.powers === null ? "Review this game" : "See the review";
    go.textContent = node.id === study.root ? "Go to the end" : "Go to the start";
  }

  store.on("study node play", show);
  findings.on("change", show);
}
