/** A command line or configuration that cannot be understood; the message names the problem and its location. */
export class UsageError extends Error {}
