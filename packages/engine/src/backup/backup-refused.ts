/** Thrown where a backup cannot be made or taken: the sentence says why and what to do. */
export class BackupRefused extends Error {}
