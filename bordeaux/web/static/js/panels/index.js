/** The panels beside the board, in the order of their tabs; the bar of shares has its own place. */

import * as book from "./book.js";
import * as engine from "./engine.js";
import * as heat from "./heat.js";
import * as people from "./people.js";
import * as play from "./play.js";
import * as review from "./review.js";
import * as share from "./share.js";
import * as shares from "./shares.js";
import * as talks from "./talks.js";

/** Each is `{id, title, mount(element)}`, the bar with its `place`. */
export default [shares, engine, people, book, heat, talks, play, review, share];
