/** Draws positions and orders on the empty board that the page has, and gives the study in it. */
export const paper = (() => {
  const template = (name) => /** @type {HTMLTemplateElement} */ (document.getElementById(name)).content;
  const told = JSON.parse(template("told").textContent);
  const empty = template("empty").querySelector("svg");
  const powers = Object.keys(told.powers);
  /** Pixels: from the middle of a unit or of an empty place to an arrow, and how long and wide its head is. */
  const ROOM = 17, NEAR = 4, HEAD = 12.5, WIDE = 6.4, RING = 19;
  const STEPS = 12;

  const make = (name, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const titled = (power) => power.charAt(0) + power.slice(1).toLowerCase();
  const note = (text) => {
    const title = make("title", {});
    title.textContent = text;
    return title;
  };
  const province = (location) => location.split("/")[0];
  /** Where a mark of a location stands, or undefined for a location that the map has not. */
  const at = (location = "", mark = "unit") => (told.marks[location] ?? told.marks[province(location)])?.[mark];
  const apart = (a, b) => Math.hypot(b[0] - a[0], b[1] - a[1]) || 1e-6;
  /** @type {function(number[], number[], number): number[]} */
  const between = (a, b, part) => [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
  const listed = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

  const length = (track) => track.slice(1).reduce((sum, point, i) => sum + apart(track[i], point), 0);
  /** The point of a track after a part of its length. */
  function along(track, part) {
    let left = length(track) * part;
    for (let i = 1; i < track.length; i++) {
      const far = apart(track[i - 1], track[i]);
      if (left <= far) return between(track[i - 1], track[i], left / far);
      left -= far;
    }
    return track[track.length - 1];
  }
  /** A track that begins and ends so many pixels later and sooner. */
  function cut(track, first, last) {
    const far = length(track);
    const begin = Math.min(first / far, 0.3), end = 1 - Math.min(last / far, 0.3);
    return Array.from({ length: STEPS + 1 }, (_, i) => along(track, begin + ((end - begin) * i) / STEPS));
  }
  /** A way that bends to its left, so that one that comes the other way is seen beside it. */
  function bent(a, b) {
    const knee = [(a[0] + b[0]) / 2 - (b[1] - a[1]) * 0.24, (a[1] + b[1]) / 2 + (b[0] - a[0]) * 0.24];
    return Array.from({ length: STEPS + 1 }, (_, i) => between(between(a, knee, i / STEPS), between(knee, b, i / STEPS), i / STEPS));
  }

  /** An order as its parts; null for what is none that is drawn. */
  function parsed(power, text) {
    const [kind, from, verb, ...rest] = text.split(" ").filter((word) => word !== "VIA");
    if (!at(from)) return null;
    const order = { power, text, kind, from, verb };
    if (verb === "-" || verb === "R") return { ...order, to: rest.at(-1) };
    if (verb === "S" || verb === "C") return { ...order, target: rest[1], to: rest[2] === "-" ? rest.at(-1) : null };
    return order;
  }

  /** What went wrong with an order: nothing where it succeeded. */
  function failed({ power, kind, from, verb }, { results, foreign }) {
    const words = (foreign?.[power]?.[`${kind} ${from}`] ?? results[`${kind} ${from}`] ?? []).filter(Boolean);
    if (verb === "H" || verb === "S" || verb === "C") return words.filter((word) => word !== "bounce");
    return words.filter((word) => word !== "dislodged" || words.length > 1);
  }

  /** One phase on one board. */
  class Phase {
    constructor(state, orders, results, foreign) {
      this.results = results;
      this.foreign = foreign;
      this.retreating = state.name.endsWith("R");
      this.units = new Map();
      this.dislodged = [];
      for (const [power, listed] of Object.entries(state.units ?? {})) {
        for (const text of listed) {
          const [kind, place] = text.replace("*", "").split(" ");
          const unit = { power, kind, place };
          if (!powers.includes(power) || !at(place)) continue;
          if (text.startsWith("*")) this.dislodged.push(unit);
          else this.units.set(province(place), unit);
        }
      }
      this.orders = Object.entries(orders)
        .filter(([power]) => powers.includes(power))
        .flatMap(([power, texts]) => texts.map((text) => parsed(power, text)))
        .filter(Boolean);
    }

    place(location) {
      const unit = this.units.get(province(location));
      return at(unit && !location.includes("/") ? unit.place : location);
    }

    /** The way of a move: over the fleets that convoy it, bent where another comes the opposite way. */
    track(from, to) {
      const begin = this.place(from), end = at(to);
      if (!begin || !end) return null;
      const fleets = this.orders.filter((each) => each.verb === "C" && each.target === from && each.to && province(each.to) === province(to));
      const seas = fleets.map((each) => at(each.from)).sort((a, b) => apart(begin, a) - apart(begin, b));
      if (seas.length) return [begin, ...seas, end];
      const back = this.orders.some((each) => each.verb === "-" && province(each.from) === province(to) && province(each.to) === province(from));
      return back ? bent(begin, end) : [begin, end];
    }

    /** @param {number[]} at the middle */
    cross([x, y], reach) {
      const d = `M${x - reach},${y - reach}l${2 * reach},${2 * reach}m${-2 * reach},0l${2 * reach},${-2 * reach}`;
      return ["case", "bad"].map((kind) => make("path", { class: kind, d, fill: "none", "stroke-width": kind === "bad" ? 2.8 : 5.4, "stroke-linecap": "round" }));
    }

    /** A line twice: its rim, and its colour over it. */
    line(points, colour, dashes, thin = "") {
      return ["under", "over"].map((kind) =>
        make("polyline", { class: `${kind}${thin} ${kind === "over" ? `s${colour}` : ""}`, points: listed(points), "stroke-dasharray": dashes }),
      );
    }

    arrow(track, colour, bad, room, dashes) {
      const way = cut(track, ROOM, room);
      const tip = way[way.length - 1], before = along(way, 1 - Math.min(0.4, HEAD / length(way)));
      const shaft = [...way.filter((point) => apart(point, tip) > HEAD), before, between(before, tip, 0.3)];
      const far = apart(before, tip);
      const across = [((tip[1] - before[1]) / far) * WIDE, (-(tip[0] - before[0]) / far) * WIDE];
      const head = listed([[before[0] + across[0], before[1] + across[1]], tip, [before[0] - across[0], before[1] - across[1]]]);
      return [
        ...this.line(shaft, colour, bad ? "8 5" : dashes),
        make("polygon", { class: `head rim p${colour}`, points: head }),
        ...(bad ? this.cross(along(way, 0.62), 6.5) : []),
      ];
    }

    helping(begin, end, colour, bad, dashes) {
      const from = between(begin, end, Math.min(0.5, ROOM / apart(begin, end)));
      return [
        ...this.line([from, end], colour, dashes, " thin"),
        make("circle", { class: `head rim p${colour}`, cx: end[0], cy: end[1], r: 3.8 }),
        ...(bad ? this.cross(between(from, end, 0.5), 5.5) : []),
      ];
    }

    /** @param {number[]} at the middle */
    ring([x, y], colour, dashes = "none", thin = "") {
      return ["under", "over"].map((kind) =>
        make("circle", { class: `${kind}${thin} ${kind === "over" ? `s${colour}` : ""}`, cx: x, cy: y, r: RING, "stroke-dasharray": dashes }),
      );
    }

    /** The shapes of an order. */
    shapes(order, colour, bad) {
      const origin = this.retreating ? at(order.from, "dislodged") : this.place(order.from);
      if (order.verb === "-") {
        const track = this.track(order.from, order.to);
        return track ? this.arrow(track, colour, bad, this.units.has(province(order.to)) ? ROOM + 1 : NEAR, "none") : [];
      }
      if (order.verb === "R") return at(order.to) ? this.arrow([origin, at(order.to)], colour, bad, NEAR, "7 3") : [];
      if (order.verb === "S" || order.verb === "C") {
        const dashes = order.verb === "C" ? "1.5 4.5" : "7 4.5";
        const around = order.verb === "C" ? this.ring(origin, colour, "4 2.5", " thin") : [];
        const goal = this.place(order.target ?? "");
        if (!goal) return [];
        if (order.to) {
          const track = this.track(order.target, order.to);
          return track ? [...around, ...this.helping(origin, along(track, 0.5), colour, bad, dashes)] : [];
        }
        const near = between(origin, goal, 1 - Math.min(0.5, RING / apart(origin, goal)));
        return [...this.helping(origin, near, colour, bad, dashes), ...this.ring(goal, colour, dashes, " thin")];
      }
      if (order.verb === "H") return [...this.ring(origin, colour), ...(bad ? this.cross(origin, 5) : [])];
      if (order.verb === "B") {
        const ring = make("circle", { class: bad ? "bad" : "good", cx: origin[0], cy: origin[1], r: RING, fill: "none", "stroke-width": 2.6, "stroke-dasharray": "6 3" });
        return [piece(order.kind, order.power, origin), ring, ...(bad ? this.cross(origin, 9) : [])];
      }
      return [];
    }

    /** The group of an order, named for who points at it. */
    drawn(order) {
      const words = failed(order, this);
      const text = `${titled(order.power)}: ${order.text}${words.length ? ` (${words.join(", ")})` : ""}`;
      return make("g", { class: "order" }, note(text), ...this.shapes(order, told.powers[order.power], words.length > 0));
    }

    /** Crosses on units that disband, and on those that were dislodged. */
    gone() {
      const marks = this.orders.filter(({ verb }) => verb === "D").map(({ from }) => (this.retreating ? at(from, "dislodged") : this.place(from)));
      for (const { kind, place } of this.units.values()) if ((this.results[`${kind} ${place}`] ?? []).includes("dislodged")) marks.push(at(place));
      return marks.flatMap((mark) => this.cross(mark, this.retreating ? 5 : 11));
    }
  }

  function piece(kind, power, [x, y], scale = 1) {
    return make("use", { href: `#piece-${kind === "F" ? "F" : "A"}${powers.indexOf(power)}`, transform: `translate(${x} ${y}) scale(${scale})` });
  }

  function draw(state, orders, results, title, foreign = {}) {
    const board = /** @type {SVGSVGElement} */ (empty.cloneNode(true));
    const phase = new Phase(state, orders, results, foreign);
    board.querySelector("title").textContent = title;
    const centres = make("g", {});
    const spoken = [];
    for (const power of powers) {
      const owned = (state.centers?.[power] ?? []).filter((tag) => Object.hasOwn(told.regions, tag));
      for (const tag of owned) {
        for (const shape of told.regions[tag]) {
          const land = board.querySelector(`use[href="#${shape}"]`);
          land?.setAttribute("class", `t${told.powers[power]}`);
        }
        const [x, y] = at(tag, "centre");
        centres.append(make("circle", { class: `rim p${told.powers[power]}`, cx: x, cy: y, r: 3.2, "stroke-width": 0.7 }));
      }
      const units = (state.units?.[power] ?? []).join(", ");
      if (units || owned.length) spoken.push(`${titled(power)}: units ${units || "none"}; ${owned.length} centres ${owned.join(" ")}.`);
    }
    board.querySelector("desc").textContent = spoken.join("\n");
    const under = phase.orders.toSorted((a, b) => "CSHB-R".indexOf(a.verb) - "CSHB-R".indexOf(b.verb)).map((order) => phase.drawn(order));
    board.querySelector("text").before(...under);
    board.append(centres);
    for (const { kind, power, place } of phase.units.values()) board.append(make("g", {}, note(`${titled(power)}: ${kind} ${place}`), piece(kind, power, at(place))));
    for (const { kind, power, place } of phase.dislodged) board.append(make("g", {}, note(`${titled(power)}: ${kind} ${place}, dislodged`), piece(kind, power, at(place, "dislodged"), 0.6)));
    board.append(...phase.gone());
    return board;
  }

  return { draw, make, titled, map: told.map, powers: told.powers, study: template("study").textContent };
})();
