/** The engine's analysis: asked for, listened to, stopped. What it finds is kept for each node; how it is shown is not known here. */

import { ApiError, notify, post, stream } from "../api.js";
import { Source } from "../dom.js";
import { store } from "../store.js";

/** @typedef {{id: string, answers: Object, old: Object, stats: ?Object, end: ?string, phase: string, asked: string}} Findings
 *   `end` is null while it runs; `old` are the answers of the search before, until there are new ones; `asked` tells
 *   two questions apart */

/** The question of a search, without its time and its number of lines. */
const askedOf = ({ time, lines, ...question }) => JSON.stringify(question);

class Run extends Source {
  /** Whether the reader wants the engine to think: it has been started and not stopped. */
  wanted = false;
  /** Whether a search is under way. */
  running = false;
  /** The path of the node that is or was searched last. */
  path = null;
  /** Why the last start failed, or null. */
  error = null;

  #found = new Map();
  #id = null;
  #stream = null;
  #number = 0;
  /** Asks again what no server heard, or null. */
  #again = null;

  constructor() {
    super();
    store.on("connection", () => store.lost || this.#again?.());
  }

  /** What was found for a node, or undefined. */
  findings(path) {
    return this.#found.get(path);
  }

  /**
   * Search the node that is shown, instead of what is searched now.
   * @param {Object} options what `POST .../analyses` takes
   * @param {boolean} [on] go on from what was found there, where the same was asked
   */
  async start(options, on = false) {
    const number = ++this.#number;
    this.#close();
    Object.assign(this, { wanted: true, running: true, error: null, path: store.here });
    this.#again = null;
    // A server that was started again knows nothing of what was found before.
    const again = () => this.wanted && this.path === store.here && this.start(options);
    const before = this.#found.get(this.path);
    const goes = on && before?.id && before.asked === askedOf(options);
    const found = goes
      ? { ...before, end: null }
      : { answers: {}, old: before?.answers ?? {}, stats: null, end: null, phase: store.node.phase, asked: askedOf(options) };
    this.tell();
    try {
      const { analysis } = await post(`${this.path}/analyses`, goes ? { ...options, after: before.id } : options);
      if (number !== this.#number) return;
      this.#id = found.id = analysis;
      this.#found.set(this.path, found);
      this.#listen(number, found, again);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (number === this.#number) {
        this.error = error.message;
        this.#close();
        if (!error.status) this.#again = again;
      }
    }
    this.tell();
  }

  #listen(number, found, again) {
    const mine = (act) => (data) => {
      if (number !== this.#number) return;
      act(data);
      this.tell();
    };
    this.#stream = stream(`/api/analyses/${encodeURIComponent(this.#id)}/events`, {
      analysis: mine(({ answers, ...stats }) => {
        found.stats = stats;
        found.answers = { ...found.answers, ...answers };
      }),
      end: mine(({ reason }) => {
        found.end = reason;
        found.old = {};
        // Another tab has the engine now, or it cannot search this: it is not asked again unless the reader does.
        if (reason === "superseded" || reason === "error") this.wanted = false;
        this.#close();
      }),
      error: mine(({ error, again }) => {
        if (again) notify(error, "bad");
        else this.error = error;
      }),
      gone: mine(() => {
        this.#close();
        again();
      }),
    });
  }

  #close() {
    this.running = false;
    this.#stream?.close();
    this.#stream = this.#id = null;
  }

  /** Let it be; what was found stays. */
  async stop() {
    this.wanted = false;
    const id = this.#id;
    if (id !== null) {
      await post(`/api/analyses/${encodeURIComponent(id)}/stop`).catch((error) => {
        if (error.status !== 404) throw error;
      });
    } else {
      // It is being asked for: what comes of that is not listened to.
      this.#number++;
      this.#close();
    }
    this.tell();
  }
}

export const run = new Run();
