import { hash } from "node:crypto";

/** 128 bits of SHA-256 of a text in 22 characters: practically collision-free, and small in the log. */
export function shortDigest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}
