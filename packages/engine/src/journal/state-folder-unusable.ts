/** Thrown at the start if a state folder cannot be used; the message says why and what to do. */
export class StateFolderUnusable extends Error {}

/** Another server holds it. */
export class StateFolderBusy extends StateFolderUnusable {}
