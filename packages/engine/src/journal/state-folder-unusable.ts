/** Thrown at the start where a state folder cannot be served; the message says why, and what to do. */
export class StateFolderUnusable extends Error {}

/** Another server has it. */
export class StateFolderBusy extends StateFolderUnusable {}
