/**
 * Unpacks what the build has packed: weights with deflate, by the browser itself, the rest with LZMA2, which packs a third
 * better. The output is its own dictionary. The range coder and the models are those of the LZMA specification.
 */

const STATES = 12;
const POSITIONS = 16;
/** Where the models of each kind begin. */
const IS_MATCH = 0;
const IS_REP = IS_MATCH + STATES * POSITIONS;
const IS_FIRST = IS_REP + STATES;
const IS_SECOND = IS_FIRST + STATES;
const IS_THIRD = IS_SECOND + STATES;
const IS_LONG = IS_THIRD + STATES;
const SLOT = IS_LONG + STATES * POSITIONS;
const SPECIAL = SLOT + 4 * 64;
const ALIGN = SPECIAL + 128;
const LENGTH = ALIGN + 16;
const MIDDLE = 2 + POSITIONS * 8;
const HIGH = MIDDLE + POSITIONS * 8;
const REP_LENGTH = LENGTH + HIGH + 256;
const LITERAL = REP_LENGTH + HIGH + 256;

/** What was packed; weights were cut in `halves`, the even bytes and the odd ones behind them. */
export async function unpacked(packed, size, halves) {
  if (!halves) return stream(packed, size);
  const inflating = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(inflating).arrayBuffer());
  const middle = Math.ceil(size / 2);
  const whole = new Uint8Array(size);
  for (let at = 0; at < middle; at++) {
    whole[2 * at] = bytes[at];
    whole[2 * at + 1] = bytes[middle + at];
  }
  return whole;
}

/** The bytes that a raw LZMA2 stream holds; `size` of them. */
function stream(packed, size) {
  const out = new Uint8Array(size);
  let probs = new Uint16Array(0);
  let literals = 0;
  let lowPosition = 0;
  let position = 0;
  let state = 0;
  const rep = new Int32Array(4);
  let to = 0;
  let from = 0;
  let range = 0;
  let code = 0;

  function bit(at) {
    const chance = probs[at];
    const bound = Math.imul(range >>> 11, chance);
    let found = 0;
    if (code >>> 0 < bound >>> 0) {
      range = bound;
      probs[at] = chance + ((2048 - chance) >>> 5);
    } else {
      range = (range - bound) | 0;
      code = (code - bound) | 0;
      probs[at] = chance - (chance >>> 5);
      found = 1;
    }
    if ((range & 0xff000000) === 0) {
      range <<= 8;
      code = (code << 8) | packed[from++];
    }
    return found;
  }

  function tree(at, bits) {
    let symbol = 1;
    for (let left = bits; left; left--) symbol = (symbol << 1) | bit(at + symbol);
    return symbol - (1 << bits);
  }

  function reversed(at, bits) {
    let symbol = 1;
    let found = 0;
    for (let shift = 0; shift < bits; shift++) {
      const one = bit(at + symbol);
      symbol = (symbol << 1) | one;
      found |= one << shift;
    }
    return found;
  }

  function direct(bits) {
    let found = 0;
    for (let left = bits; left; left--) {
      range >>>= 1;
      const less = code >>> 0 < range >>> 0;
      if (!less) code = (code - range) | 0;
      found = (found << 1) | (less ? 0 : 1);
      if ((range & 0xff000000) === 0) {
        range <<= 8;
        code = (code << 8) | packed[from++];
      }
    }
    return found;
  }

  function length(at, place) {
    if (!bit(at)) return 2 + tree(at + 2 + place * 8, 3);
    if (!bit(at + 1)) return 10 + tree(at + MIDDLE + place * 8, 3);
    return 18 + tree(at + HIGH, 8);
  }

  function distance(length) {
    const slot = tree(SLOT + Math.min(length - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    if (slot < 14) return base + reversed(SPECIAL + base - slot, bits);
    return base + (direct(bits - 4) << 4) + reversed(ALIGN, 4);
  }

  function literal() {
    const before = to ? out[to - 1] : 0;
    const at = LITERAL + 0x300 * (((to & lowPosition) << literals) + (before >> (8 - literals)));
    let symbol = 1;
    if (state > 6) {
      let like = out[to - rep[0] - 1];
      let offset = 0x100;
      do {
        like <<= 1;
        const match = like & offset;
        const one = bit(at + offset + match + symbol);
        symbol = (symbol << 1) | one;
        offset &= one ? match : ~match;
      } while (symbol < 0x100);
    } else {
      do symbol = (symbol << 1) | bit(at + symbol);
      while (symbol < 0x100);
    }
    out[to++] = symbol;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  }

  function copied(count) {
    const back = rep[0] + 1;
    if (back > to) throw new Error("damaged");
    const end = Math.min(to + count, size);
    while (to < end) out[to] = out[to++ - back];
  }

  function repeated(place) {
    if (!bit(IS_FIRST + state)) {
      if (!bit(IS_LONG + state * POSITIONS + place)) {
        state = state < 7 ? 9 : 11;
        return 1;
      }
    } else {
      const which = !bit(IS_SECOND + state) ? 1 : 2 + bit(IS_THIRD + state);
      const found = rep[which];
      rep.copyWithin(1, 0, which);
      rep[0] = found;
    }
    state = state < 7 ? 8 : 11;
    return length(REP_LENGTH, place);
  }

  function chunk(end) {
    from++;
    code = range = 0;
    for (let byte = 0; byte < 4; byte++) code = (code << 8) | packed[from++];
    range = -1;
    while (to < end) {
      const place = to & position;
      if (!bit(IS_MATCH + state * POSITIONS + place)) literal();
      else if (bit(IS_REP + state)) copied(repeated(place));
      else {
        const count = length(LENGTH, place);
        rep.copyWithin(1, 0, 3);
        rep[0] = distance(count);
        state = state < 7 ? 7 : 10;
        copied(count);
      }
    }
  }

  for (;;) {
    const control = packed[from++];
    if (!control) break;
    const count = ((control & 0x80 ? control & 0x1f : 0) << 16) + (packed[from] << 8) + packed[from + 1] + 1;
    from += 2;
    if (to + count > size) throw new Error("damaged");
    if (control < 0x80) {
      out.set(packed.subarray(from, from + count), to);
      to += count;
      from += count;
      continue;
    }
    const next = from + (packed[from] << 8) + packed[from + 1] + 3 + (control >= 0xc0 ? 1 : 0);
    from += 2;
    if (control >= 0xc0) {
      const properties = packed[from++];
      literals = properties % 9;
      const low = Math.floor(properties / 9) % 5;
      lowPosition = (1 << low) - 1;
      position = (1 << Math.floor(properties / 45)) - 1;
      probs = new Uint16Array(LITERAL + (0x300 << (literals + low)));
    }
    if (control >= 0xa0) {
      probs.fill(1024);
      rep.fill(0);
      state = 0;
    }
    chunk(to + count);
    from = next;
  }
  if (to !== size) throw new Error("damaged");
  return out;
}
