/**
 * What the page shows: one study, one node of its tree, and what is drawn on it. Everything else listens.
 *
 * Events: `map` (another map, or its powers), `study` (the tree changed or another was opened), `node` (another node, or its
 * news), `draft` (orders being written), `chosen` (other orders are shown), `preview`, `heat`, `resolved` (orders were carried
 * out: the nodes from the one that is shown to the newest), `connection` (the server was lost, or is back), `play`, `thinking`,
 * `message`, `review` (as the server sends them).
 */

import { attempt, get, notify, post, put, stream } from "./api.js";
import { Source } from "./dom.js";

class Store extends Source {
  /** What the server can do: version, maps, heats, players, png, gif, games. */
  about = null;
  /** The open study as `GET /api/studies/ID` gives it, or null. */
  study = null;
  /** The shapes of its map: size, regions, places. */
  geometry = null;
  /** The node shown, in detail, or null. */
  node = null;
  /** The child of the node whose orders and results are shown; null for the draft. */
  chosen = null;
  /** Whether one would agree to a draw of all who are left, in a game that is played. */
  draw = false;
  /** Orders by power that are drawn instead of what is shown, or null. */
  shownInstead = null;
  /** The engine's best orders here, by power. */
  advised = {};
  /** The heat map that is drawn: kind and power, each null where there is none. */
  heated = { kind: null, power: null };
  /** Orders that are drawn against better ones: {orders, better}, each by power; null where none are. */
  compared = null;
  /** The power whose orders were written last; null where it was more than one. */
  ordered = null;
  /** Goes on from results that are shown; gives whether there were any. */
  results = () => false;
  /** Whether the server does not answer. */
  lost = false;

  #stream = null;
  #details = new Map();
  #opened = 0;
  #asked = 0;
  #going = null;
  /** The end of a game that is being played, from which the page goes along as soon as it knows what follows. */
  #followed = null;
  /** The newest version that the server told of, and how many calls that answer with the study are under way. */
  #newest = 0;
  #changing = 0;
  /** Nodes whose drafts the server has not taken yet, by path. */
  #unsent = new Map();
  /** The end of what is on its way to the server, or null. */
  #sending = null;
  /** @type {{at: ?string, drafts: Object<string, string[]>[]}} */
  #past = { at: null, drafts: [] };

  /** The names of the powers, in the order of the map. */
  get powers() {
    return this.study?.powers.map(({ name }) => name) ?? [];
  }

  /** Where the API keeps the node that is shown. */
  get here() {
    return this.node && this.path(this.node.id);
  }

  /** Where the API keeps the open study, or one of its nodes. */
  path(node = null) {
    const study = `/api/studies/${this.study.id}`;
    return node === null ? study : `${study}/nodes/${node}`;
  }

  /** The node of the tree (not its detail) with an id, or undefined. */
  branch(id) {
    return this.study?.nodes.find((node) => node.id === id);
  }

  /** Ids from the root to a node. */
  way(id = this.node?.id) {
    const way = [];
    for (let node = this.branch(id); node; node = this.branch(node.parent)) way.unshift(node.id);
    return way;
  }

  /** Ids from a node on along first children; the root's are the main line. */
  after(id = this.study.root) {
    const line = [id];
    for (let node = this.branch(id); node?.children.length; node = this.branch(line.at(-1))) line.push(node.children[0]);
    return line;
  }

  /** The line that is stepped through: the way to the node, and on along the orders that are shown. */
  line() {
    const way = this.way();
    return this.chosen === null ? [...way.slice(0, -1), ...this.after(way.at(-1))] : [...way, ...this.after(this.chosen)];
  }

  /** Open a study at a node; without one at its beginning, or where it is played. */
  async open(studyId, nodeId = null) {
    const asked = ++this.#opened;
    await this.#send();
    const path = `/api/studies/${encodeURIComponent(studyId)}`;
    const [study, geometry] = await Promise.all([get(path), get(`${path}/geometry`)]);
    if (asked !== this.#opened) return;
    this.#stream?.close();
    this.#connected(true);
    const other = JSON.stringify(geometry) !== JSON.stringify(this.geometry) || String(study.powers.map(({ name }) => name)) !== String(this.powers);
    this.study = study;
    this.node = null;
    this.chosen = null;
    this.shownInstead = null;
    this.advised = {};
    this.#details.clear();
    this.#newest = study.version;
    this.#listen();
    if (other) {
      this.geometry = geometry;
      this.tell("map");
    }
    this.tell("study", study);
    await this.goto(this.branch(nodeId)?.id ?? (study.play ? this.after().at(-1) : study.root));
  }

  #listen() {
    this.#stream = stream(`${this.path()}/events`, {
      changed: ({ version }) => {
        this.#newest = version;
        this.#keepUp();
      },
      deleted: () => {
        this.#stream.close();
        notify("This study was deleted in another tab.", "bad");
        this.tell("deleted");
      },
      play: (status) => {
        this.study.play = status;
        this.tell("play", status);
      },
      thinking: (progress) => this.tell("thinking", progress),
      message: (message) => this.tell("message", message),
      review: (progress) => this.tell("review", progress),
      lost: () => this.#connected(false),
      back: () => {
        // A tab that is seen again has let go of its stream by itself.
        if (this.lost) notify("The server is back.", "good");
        this.#connected(true);
        this.refresh();
      },
      gone: () => {
        this.#connected(true);
        notify("The server does not know this study any more.", "bad");
      },
    });
  }

  #connected(there) {
    this.lost = !there;
    this.tell("connection");
  }

  /** Follow what others changed; while the study is on its way here, its coming is waited for. */
  #keepUp() {
    if (!this.#changing && !this.#sending && this.#newest > this.study.version) this.refresh();
  }

  /** Fetch the tree and the node again: another tab, or the table at which it is played, changed it. What is unsent goes first. */
  async refresh() {
    await this.#send();
    // Nothing else is fetched meanwhile: of two answers the older one may come last.
    if (await this.#take(() => get(this.path()))) this.#keepUp();
  }

  /** Take a newer state of the open study, go where it says, or stay. */
  async #renewed(study, nodeId = null) {
    const before = this.way(this.#going ?? this.node?.id);
    const ends = this.node && (!this.branch(this.node.id)?.children.length || this.#followed === this.node.id);
    const followed = Boolean(ends && study.play);
    if (followed) this.#followed = this.node.id;
    this.study = study;
    this.#details.clear();
    this.tell("study", study);
    const stay = before.toReversed().find((id) => this.branch(id)) ?? study.root;
    // At the end of a game that is being played the page goes along.
    const to = nodeId ?? (followed ? this.after(stay).at(-1) : stay);
    const way = this.way(to);
    const from = way.indexOf(this.#going ?? this.node?.id);
    // What came of the orders is seen before what follows.
    if (from >= 0 && to !== way[from]) {
      if (!(await this.goto(way[from], way[from + 1]))) return;
      this.#followed = null;
      this.tell("resolved", way.slice(from));
    } else {
      await this.goto(to, nodeId === null ? this.chosen : undefined);
    }
  }

  /**
   * Show a node. `chosen` is the child whose orders are shown with it: the first one unless told, null for
   * the draft. Gives whether it is shown: something else may have been asked for meanwhile.
   */
  async goto(nodeId, chosen = undefined) {
    const asked = ++this.#asked;
    const study = this.study;
    this.#going = nodeId;
    let detail;
    try {
      detail = this.#details.get(nodeId) ?? (await get(this.path(nodeId)));
    } finally {
      if (asked === this.#asked) this.#going = null;
    }
    if (this.study !== study) return false;
    // What the server says of orders that it has not taken yet is older than what is here.
    const unsent = this.#unsent.get(this.path(nodeId));
    if (unsent) {
      detail.draft = unsent.draft;
      this.#unsent.set(this.path(nodeId), detail);
    }
    this.#details.set(nodeId, detail);
    if (asked !== this.#asked) return false;
    const moved = this.node?.id !== nodeId;
    this.node = detail;
    const children = detail.next.map((child) => child.id);
    this.chosen = chosen === undefined || (chosen !== null && !children.includes(chosen)) ? (children[0] ?? null) : chosen;
    if (moved) {
      this.shownInstead = null;
      this.advised = {};
      this.compared = null;
      this.#followed = null;
    }
    this.tell("node", detail);
    return true;
  }

  /** One step along the line that is shown: 1 on, -1 back. */
  async step(by) {
    const line = this.line();
    // Keys come faster than answers: go on from where one is going.
    const from = line.indexOf(this.#going);
    const at = (from < 0 ? line.indexOf(this.node.id) : from) + by;
    if (at >= 0 && at < line.length) await this.goto(line[at], line[at + 1]);
  }

  /** Show the orders of a child of the node, or the draft (null). */
  choose(childId) {
    this.chosen = childId;
    this.shownInstead = null;
    this.compared = null;
    this.tell("chosen", childId);
  }

  /** The orders that are shown: of the chosen child, else the draft. */
  orders() {
    const child = this.node?.next.find((each) => each.id === this.chosen);
    return child ? child.orders : (this.node?.draft ?? {});
  }

  /** Draw orders instead of what is shown; null draws what is shown again. */
  preview(orders) {
    if (orders === null && this.shownInstead === null) return;
    this.shownInstead = orders;
    this.tell("preview", orders);
  }

  /** Draw the engine's best orders, by power, beside the draft, until there are others. */
  advise(orders) {
    if (JSON.stringify(orders) === JSON.stringify(this.advised)) return;
    this.advised = orders;
    this.tell("preview");
  }

  /** Draw orders against better ones, each by power; null for both draws what is shown again. */
  compare(orders, better) {
    const before = this.compared;
    this.compared = orders === null ? null : { orders, better };
    if (before !== this.compared) this.tell("preview");
  }

  /** Colour the provinces by a heat map of a power, of all together (power null), or no more (kind null). */
  heat(kind, power = null) {
    this.heated = { kind, power };
    this.tell("heat", this.heated);
  }

  /** Earlier drafts of the node that is shown, the oldest first. */
  get #earlier() {
    if (this.#past.at !== this.here) this.#past = { at: this.here, drafts: [] };
    return this.#past.drafts;
  }

  /** Whether a change of the draft can be taken back. */
  get undoable() {
    return this.#earlier.length > 0;
  }

  /** Take back the last change of the draft. */
  undo() {
    const draft = this.#earlier.pop();
    if (draft) this.#write(draft);
  }

  /** Write the orders of the powers named, in place of what they had; the others keep those that are shown. Shows the draft. */
  async setDraft(orders) {
    const draft = { ...this.orders(), ...orders };
    if (!alike(draft, this.node.draft)) this.#earlier.push(this.node.draft);
    await this.#write(draft);
  }

  async #write(draft) {
    const node = this.node;
    const before = { shown: this.orders(), draft: node.draft };
    const written = Object.keys({ ...before.shown, ...draft }).filter((power) => String(draft[power] ?? "") !== String(before.shown[power] ?? ""));
    this.ordered = written.length === 1 ? written[0] : null;
    node.draft = draft;
    this.chosen = null;
    this.shownInstead = null;
    this.compared = null;
    this.tell("draft", before);
    this.#unsent.set(this.here, node);
    await this.#send();
  }

  /** Drafts go out one after the other, so that the last one written is the last one kept. */
  #send() {
    if (!this.#unsent.size) return null;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
      if (!this.#unsent.size) this.#keepUp();
    });
    return this.#sending;
  }

  async #sendAll() {
    while (this.#unsent.size) {
      const [[path, { draft }]] = this.#unsent;
      let answer = null;
      try {
        answer = await put(`${path}/draft`, draft);
      } catch (error) {
        notify(error.message, "bad");
        // Without a server it waits until that is back.
        if (error.status === 0) return;
      }
      if (answer?.version) this.study.version = answer.version;
      const node = this.#unsent.get(path);
      if (node.draft !== draft) continue;
      this.#unsent.delete(path);
      if (!answer) continue;
      for (const fault of answer.faults) notify(`${fault.order}: ${fault.why}`, "bad");
      if (alike(answer.draft, draft)) continue;
      node.draft = answer.draft;
      if (this.node === node) this.tell("draft");
    }
  }

  /** Whether the node is where a game is being played now: there each gives their own orders. */
  live() {
    const { play } = this.study;
    if (!play || play.over || !this.node) return false;
    return this.node.id === (play.node ?? this.after().at(-1));
  }

  /** Carry out the orders that are shown and go where they lead; where a game is played, hand in one's own. */
  async adjudicate() {
    // Results that are shown are gone on from before anything else is carried out.
    if (this.results()) return true;
    if (this.live()) {
      const orders = Object.fromEntries(this.study.play.you.map((power) => [power, this.orders()[power] ?? []]));
      const answer = await attempt(() => post(`${this.path()}/play/submit`, { orders, draw: this.draw }));
      if (answer !== null) notify("Your orders are submitted.", "good");
      // Consent to a draw is for this phase only.
      this.draw = false;
      return answer !== null;
    }
    return this.change(() => post(`${this.here}/adjudicate`, { orders: this.orders() }));
  }

  /** Change the study by a call that answers with it, alone or with the node to go to. */
  async change(act) {
    await this.#take(act);
    this.#keepUp();
  }

  /** Take the study that a call answers with, unless another one has been opened meanwhile. Gives whether it answered. */
  async #take(act) {
    const opened = this.study.id;
    this.#changing += 1;
    const answer = await attempt(act);
    this.#changing -= 1;
    if (answer && this.study.id === opened) await this.#renewed(answer.study ?? answer, answer.node ?? null);
    return answer !== null;
  }

  /** Make a study of what `POST /api/studies` takes, and open it. Raises ApiError for what cannot be read. */
  async begin(body, path = "/api/studies") {
    const study = await post(path, body);
    await this.open(study.id);
    return study;
  }
}

/** Whether two drafts hold the same orders. */
function alike(one, other) {
  const held = (draft) => Object.entries(draft).flatMap(([power, orders]) => orders.map((order) => `${power} ${order}`));
  return String(held(one).sort()) === String(held(other).sort());
}

export const store = new Store();
