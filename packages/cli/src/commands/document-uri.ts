import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { existsSync } from "node:fs";

/** The address of a document named on the command line: a path, a `file:` address or one of the web, with `#id` behind it where one is picked. */
export function documentUri(text: string): string {
  if (/^(?:file:|https?:\/\/)/i.test(text)) return text;
  const hash = existsSync(text) ? -1 : text.lastIndexOf("#");
  const path = hash < 0 ? text : text.slice(0, hash);
  return pathToFileURL(resolve(path)).href + (hash < 0 ? "" : text.slice(hash));
}
