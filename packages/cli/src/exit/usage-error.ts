/** A command line or configuration that cannot be understood; its message says what and where. */
export class UsageError extends Error {}
