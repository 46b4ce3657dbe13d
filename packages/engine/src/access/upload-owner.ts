import { hash, randomBytes } from "node:crypto";

/**
 * A new ID for an upload of this owner. It holds a digest of the owner, so that a caller who knows the address can read
 * the upload only if it is theirs. Its 60 random bits cannot be guessed.
 */
export function newUploadId(owner: string): string {
  const digits = randomBytes(8).toString("hex");
  return withOwner(`${digits.slice(0, 12)}8${digits.slice(13)}`, owner);
}

export function isUploadOf(id: string, owner: string): boolean {
  return id === withOwner(id.replaceAll("-", "").slice(0, 16), owner);
}

/** A UUID of version 8. */
function withOwner(random: string, owner: string): string {
  const digits = `${random}8${hash("sha256", `${random} ${owner}`).slice(0, 15)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
