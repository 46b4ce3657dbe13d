// Separate from the schemas, so that the pages need not load the schema library.

/** How conditions of dataset queries compare. */
export const CONDITION_OPS = ["=", "!=", ">", ">=", "<", "<=", "exists", "missing"] as const;
export type ConditionOp = (typeof CONDITION_OPS)[number];
