/** A command line or configuration that cannot be understood; the message names the problem and its place. */
export class UsageError extends Error {}
