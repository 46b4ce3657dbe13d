/** Thrown where there is nothing to verify, or not with this Weft: the sentence says why and what to do. */
export class VerifyRefused extends Error {}
