// Separate from the schemas, so that the pages need not load the schema library.

/** The operators in conditions of dataset queries. */
export const CONDITION_OPS = ["=", "!=", ">", ">=", "<", "<=", "exists", "missing"] as const;
export type ConditionOp = (typeof CONDITION_OPS)[number];
