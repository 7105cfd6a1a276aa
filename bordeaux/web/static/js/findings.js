/** What the review of the open study has found: turning points by node, and the one that is looked at. */

import { attempt, get } from "./api.js";
import { Source } from "./dom.js";
import { store } from "./store.js";

class Findings extends Source {
  /** Accuracies and phases by power, or null where there is no review. */
  powers = null;
  /** Turning points in the order of the game. */
  points = [];
  /** The turning point that is looked at, or null. */
  looked = null;
  #study = null;

  /** The turning points whose orders were given at a node. */
  at(node) {
    return this.points.filter((each) => each.node === node);
  }

  /** Ask for what was found in the open study. */
  async load() {
    const study = store.study.id;
    this.#study = study;
    const found = await attempt(() => get(`/api/studies/${study}/review.json`));
    if (this.#study !== study) return;
    this.#set(found);
  }

  /** Forget what belongs to another study. */
  moved() {
    if (this.#study === store.study.id) return;
    this.#study = store.study.id;
    this.#set(null);
  }

  #set(found) {
    this.powers = found?.powers ?? null;
    this.points = found?.points ?? [];
    this.looked = null;
    this.tell();
  }

  /** Go to the board of a turning point, with what was played and what would have been better. */
  async show(point) {
    this.looked = point;
    this.tell();
    await attempt(() => store.goto(point.node));
    if (this.looked === point && store.node.id === point.node) {
      store.compare({ [point.power]: point.played }, { [point.power]: point.better });
    }
  }

  /** Look at a turning point without its answer: the better order is to be found. */
  async ask(point) {
    this.looked = point;
    this.tell();
    await attempt(() => store.goto(point.node, null));
    if (store.node.id === point.node) await store.setDraft({ [point.power]: [] });
  }

  /** Look at none. */
  leave() {
    if (!this.looked) return;
    this.looked = null;
    store.compare(null, null);
    this.tell();
  }
}

export const findings = new Findings();
