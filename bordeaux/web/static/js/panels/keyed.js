/** Lists that change while somebody reads them: elements are kept, and stay where they are if they can. */

/**
 * Make the children of a list those of `items`. What has a key that is there already keeps its element, so that the focus,
 * the pointer and what is unfolded stay. `update(element, item)` is called for every item, new ones too.
 */
export function keyed(list, items, keyOf, create, /** @type {function(*, *): void} */ update = () => {}) {
  const keys = items.map(keyOf);
  const there = new Map();
  // What goes, goes first: what stays need not be moved then, and keeps the focus.
  for (const child of [...list.children]) {
    if (keys.includes(child.dataset.key)) there.set(child.dataset.key, child);
    else child.remove();
  }
  items.forEach((item, place) => {
    let child = there.get(keys[place]);
    if (!child) {
      child = create(item);
      child.dataset.key = keys[place];
    }
    if (list.children[place] !== child) list.insertBefore(child, list.children[place] ?? null);
    update(child, item);
  });
}

/** The order of keys in a list while somebody points at it: what stays keeps its place, what is new takes the places that are free. */
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
