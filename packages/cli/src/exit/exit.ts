/** Exit codes of `weft`: those of CWL runners, and those of sysexits.h for the server. */
export const EXIT = {
  success: 0,
  failure: 1,
  usage: 2,
  /** `reproduce` could not start a run to compare. */
  notTried: 3,
  unsupported: 33,
  software: 70,
  disk: 74,
  configuration: 78,
  interrupted: 130,
} as const;

/** A command line or configuration that cannot be understood; the message names the problem and its location. */
export class UsageError extends Error {}
