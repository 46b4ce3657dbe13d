import { FINAL_STATES, RUN_STATES } from "@weft/shared/records/state-names.ts";

const OPEN_STATES = RUN_STATES.filter((state) => !FINAL_STATES.some((final) => final === state));

/** SQL condition for runs that have not ended. */
export const OPEN_RUN = `state IN (${OPEN_STATES.map((state) => `'${state}'`).join(",")})`;
