import { readFileSync } from "node:fs";
import { SHIPPED } from "./shipped-files.ts";

const text = readFileSync(SHIPPED.packageJson, "utf8");

/** The version of this Weft, from its package.json. */
export const VERSION = (JSON.parse(text) as { readonly version: string }).version; // a file of the repository
