/** The maximum size of a result as JSON text. */
export const MAX_RESULT_MIB = 8;
/** Depth of arrays and objects in a result. */
export const MAX_RESULT_NESTING = 256;
