/** Orders as the house writes them, taken apart and said in words. Pure: no page, no server. */

import { capital } from "./dom.js";

const COASTS = { NC: "north coast", SC: "south coast", EC: "east coast", WC: "west coast" };
const KINDS = { A: "Army", F: "Fleet" };

/** The province of a location: "STP" of "STP/SC". */
export const provinceOf = (location) => location.split("/")[0];

/** "south coast" of "STP/SC", and "" where there is none. */
function coastOf(location) {
  const coast = location.split("/")[1];
  return coast ? (COASTS[coast] ?? coast) : "";
}

/** "South coast" of "STP/SC", as a choice of its own. */
export const coastLabel = (location) => capital(coastOf(location));

/**
 * Take an order apart.
 * @param {string} text as the house writes it
 * @returns {{text: string, verb: "H"|"-"|"S"|"C"|"R"|"D"|"B"|"WAIVE", kind: ?string, at: ?string,
 *   helped: ?string, helpedKind: ?string, target: ?string, via: boolean}} locations; `target` is null where
 *   nothing moves
 */
export function parse(text) {
  const words = text.split(" ");
  /** @type {*} */
  const order = { text, verb: "WAIVE", kind: null, at: null, helped: null, helpedKind: null, target: null, via: false };
  if (words[0] === "WAIVE") return order;
  [order.kind, order.at, order.verb] = words;
  if (order.verb === "-" || order.verb === "R") {
    order.target = words[3];
    order.via = words[4] === "VIA";
  } else if (order.verb === "S" || order.verb === "C") {
    order.helpedKind = words[3];
    order.helped = words[4];
    order.target = words[6] ?? null;
  }
  return order;
}

/** The unit, or home, that an order is for, as results name units: "A PAR"; "" for a waived build. */
export function subject(text) {
  return text === "WAIVE" ? "" : text.split(" ").slice(0, 2).join(" ");
}

/** A location in words: "St Petersburg, south coast". `names` gives full names by tag. */
export function placeName(location, names) {
  const name = names[provinceOf(location)] ?? location;
  const coast = coastOf(location);
  return coast ? `${name}, ${coast}` : name;
}

/** An order as a sentence, for tooltips and for those who listen: "Army Paris moves to Burgundy". */
export function sentence(text, names) {
  const order = parse(text);
  if (order.verb === "WAIVE") return "One build is waived";
  const place = (location) => location && placeName(location, names);
  const [at, helped, to] = [order.at, order.helped, order.target].map(place);
  const unit = `${KINDS[order.kind]} ${at}`;
  const other = `${KINDS[order.helpedKind]?.toLowerCase()} ${helped}`;
  const words = {
    "-": `moves to ${to}${order.via ? " by convoy" : ""}`,
    S: `supports ${other} ${to ? `to ${to}` : "where it stands"}`,
    C: `convoys ${other} to ${to}`,
    R: `retreats to ${to}`,
    D: "disbands",
    H: "holds",
  };
  return order.verb === "B" ? `${KINDS[order.kind]} is built in ${at}` : `${unit} ${words[order.verb]}`;
}

/** What tells one order from others that the same clicks mean. */
export function choiceLabel(text, names) {
  const order = parse(text);
  if (order.verb === "WAIVE") return "No build";
  if (order.verb === "B") return KINDS[order.kind] + (coastOf(order.at) ? `, ${coastOf(order.at)}` : "");
  if (order.verb === "S") return sentence(text, names).replace(/^.* supports /, "Support ");
  const coast = order.target && coastOf(order.target);
  if (coast && order.verb !== "C") return coastLabel(order.target);
  return sentence(text, names);
}
