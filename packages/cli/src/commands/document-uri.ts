import { resolve } from "node:path";
import { existsSync } from "node:fs";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { CommandIo } from "../io/command-io.ts";

/** The URI of a document named on the command line: a path, a `file:` or web address, optionally followed by `#id`. */
export function documentUri(text: string, { cwd }: Pick<CommandIo, "cwd">): string {
  if (/^(?:file:|https?:\/\/)/i.test(text)) return text;
  const hash = existsSync(resolve(cwd, text)) ? -1 : text.lastIndexOf("#");
  const path = hash < 0 ? text : text.slice(0, hash);
  return pathToUri(resolve(cwd, path)) + (hash < 0 ? "" : text.slice(hash));
}
