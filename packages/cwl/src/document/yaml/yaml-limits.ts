/** The maximum length of a document in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 16 * 2 ** 20;
/** The maximum number of levels of nesting, including levels inside aliases. */
export const MAX_DEPTH = 64;
/** The maximum number of uses of anchors (`*name`): few bytes of aliases could expand to billions of nodes. */
export const MAX_ALIASES = 100;
/** The maximum number of nodes that aliases, imports or names of types add to a document. */
export const MAX_COPIED_NODES = 100_000;
