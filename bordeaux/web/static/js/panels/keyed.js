/** Lists that change while somebody reads them: elements are kept, and stay where they are if they can. */

/**
 * Make the children of a list those of `items`. What has a key that is there already keeps its element, so
 * that the focus, the pointer and what is unfolded stay.
 * @param {Element} list
 * @param {Array} items
 * @param {function(*): string} keyOf
 * @param {function(*): Element} create
 * @param {function(Element, *): void} [update] called for every item, new ones too
 */
export function keyed(list, items, keyOf, create, update = () => {}) {
  const there = new Map([...list.children].map((child) => [child.dataset.key, child]));
  items.forEach((item, place) => {
    const key = keyOf(item);
    let child = there.get(key);
    if (child) {
      there.delete(key);
    } else {
      child = create(item);
      child.dataset.key = key;
    }
    if (list.children[place] !== child) list.insertBefore(child, list.children[place] ?? null);
    update(child, item);
  });
  for (const child of there.values()) child.remove();
}

/**
 * The order in which a list is shown while somebody points at it: what stays keeps its place, what is new
 * takes the places that are free.
 * @param {string[]} shown keys as they stand
 * @param {string[]} wanted keys as they should stand
 */
export function steady(shown, wanted) {
  const placed = wanted.map((_, place) => (wanted.includes(shown[place]) ? shown[place] : null));
  const others = wanted.filter((key) => !placed.includes(key));
  return placed.map((key) => key ?? others.shift());
}

/** A function that runs `paint` once before the next frame, however often it is called. */
export function painter(paint) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      paint();
    });
  };
}
