/** Limits for one document: a few hundred bytes of aliases could otherwise expand to billions of nodes. */
export const MAX_TEXT_LENGTH = 16 * 2 ** 20;
/** Levels of nesting, including those inside aliases. */
export const MAX_DEPTH = 64;
/** Uses of anchors (`*name`). */
export const MAX_ALIASES = 100;
/** Nodes that aliases, imports or names of types add to a document. */
export const MAX_COPIED_NODES = 100_000;
