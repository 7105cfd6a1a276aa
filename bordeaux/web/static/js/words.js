/** Orders as the house writes them, taken apart and said in words. Pure: no page, no server. */

const COASTS = { NC: "north coast", SC: "south coast", EC: "east coast", WC: "west coast" };
const KINDS = { A: "Army", F: "Fleet" };

/** The province of a location: "STP" of "STP/SC". */
export const provinceOf = (location) => location.split("/")[0];

/** "south coast" of "STP/SC", and "" where there is none. */
export function coastOf(location) {
  const coast = location.split("/")[1];
  return coast ? (COASTS[coast] ?? coast) : "";
}

/** "South coast" of "STP/SC", as a choice of its own. */
export function coastLabel(location) {
  const coast = coastOf(location);
  return coast.charAt(0).toUpperCase() + coast.slice(1);
}

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
  const place = (location) => placeName(location, names);
  const unit = `${KINDS[order.kind]} ${place(order.at)}`;
  const helped = order.helped && `${KINDS[order.helpedKind].toLowerCase()} ${place(order.helped)}`;
  switch (order.verb) {
    case "-":
      return `${unit} moves to ${place(order.target)}${order.via ? " by convoy" : ""}`;
    case "S":
      return order.target ? `${unit} supports ${helped} to ${place(order.target)}` : `${unit} supports ${helped} where it stands`;
    case "C":
      return `${unit} convoys ${helped} to ${place(order.target)}`;
    case "R":
      return `${unit} retreats to ${place(order.target)}`;
    case "D":
      return `${unit} disbands`;
    case "B":
      return `${KINDS[order.kind]} is built in ${place(order.at)}`;
    default:
      return `${unit} holds`;
  }
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

/** @type {[RegExp, string][]} */
const SPOKEN = [
  [/\b(?:VIA CONVOY|BY CONVOY|VIA)\b/g, " VIA "],
  [/\b(?:HOLDS?|STANDS?)\b/g, " H "],
  [/\b(?:SUPPORTS?|SUP)\b/g, " S "],
  [/\b(?:CONVOYS?|CON(?=V))\b/g, " C "],
  [/\b(?:RETREATS?)\b/g, " R "],
  [/\b(?:DISBANDS?|REMOVES?)\b/g, " D "],
  [/\b(?:BUILDS?)\b/g, " B "],
  [/\b(?:WAIVES?|PASS)\b/g, " WAIVE "],
  [/\bARMY\b/g, " A "],
  [/\bFLEET\b/g, " F "],
  [/\b(?:MOVES?|TO|THE|IN|ON)\b/g, " "],
];
const SHORES = /[ (/]+(?:(N|S|E|W)C|(NORTH|SOUTH|EAST|WEST)(?:ERN)? COAST)\b\)?/g;

/** The words of an order as people type it: full names become tags, arrows and fill words go. */
function bare(line, names) {
  let text = ` ${line.toUpperCase()} `;
  const full = Object.entries(names).sort((a, b) => b[1].length - a[1].length);
  for (const [tag, name] of full) text = text.replaceAll(name.toUpperCase(), ` ${tag} `);
  text = text.replace(/[-=]+>|[–—→]|\s-+\s|-/g, " ");
  text = text.replace(SHORES, (_, short, long) => `/${short ?? long.charAt(0)}C `);
  for (const [spoken, written] of SPOKEN) text = text.replace(spoken, written);
  const words = text.replace(/[.,;:]/g, " ").split(/\s+/).filter(Boolean);
  if (words.length > 1 && ["B", "D"].includes(words[0])) words.push(words.shift());
  return words;
}

const unkinded = (words) => words.filter((word) => word !== "A" && word !== "F");
const landed = (words) => words.map(provinceOf);
const walked = (words) => words.filter((word) => word !== "VIA" && word !== "H");

/**
 * The legal orders that a typed line may mean: those that fit it most exactly, none where none does.
 * @param {string} line
 * @param {string[]} legal
 * @param {Object<string, string>} names full names by tag
 */
export function meant(line, legal, names) {
  const typed = bare(line, names);
  if (!typed.length) return [];
  const forms = [
    (words) => words,
    unkinded,
    (words) => landed(unkinded(words)),
    (words) => walked(landed(unkinded(words))),
  ];
  // Kinds that were typed must be right, whatever else is left out.
  const kinds = typed.filter((word) => word === "A" || word === "F");
  const fits = legal.filter((text) => {
    const written = text.split(" ").filter((word) => word === "A" || word === "F");
    return kinds.length < written.length || kinds.join() === written.join();
  });
  for (const form of forms) {
    const wanted = form(typed).join(" ");
    const found = fits.filter((text) => form(text.split(" ").filter((word) => word !== "-")).join(" ") === wanted);
    if (found.length) return [...new Set(found)];
  }
  return [];
}
