/** Thrown if there is nothing to verify, or this version cannot verify it: the message says why and what to do. */
export class VerifyRefused extends Error {}
