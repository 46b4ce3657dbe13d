import { ExpectedError } from "../error-text.ts";

/** Thrown at the start if a state folder cannot be used. */
export class StateFolderUnusable extends ExpectedError {}

/** Another server holds it. */
export class StateFolderBusy extends StateFolderUnusable {}
