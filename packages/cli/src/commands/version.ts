import { readFileSync } from "node:fs";

/** The version of this Weft, as its package says. */
export const VERSION: string = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version; // our own file
}
