/** Thrown at the start where a state folder cannot be served; the message says why, and what to do. */
export class StateFolderUnusable extends Error {}
