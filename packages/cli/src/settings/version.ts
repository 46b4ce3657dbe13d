import { readFileSync } from "node:fs";
import { SHIPPED } from "./shipped-files.ts";

/** The version of this Weft, from its package.json. */
export const VERSION: string = readVersion();

function readVersion(): string {
  const text = readFileSync(SHIPPED.packageJson, "utf8");
  return (JSON.parse(text) as { readonly version: string }).version; // a file of the repository
}
