import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import { shellWord } from "@weft/shared/records/shell-line.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit.ts";
import { documentHelp } from "../inputs/document-help.ts";
import type { SoundDocument } from "./load-cwl.ts";

/** Prints the help page of a document. */
export async function printHelp(
  { process, sources }: SoundDocument,
  document: string,
  { stdout, cwd }: CommandIo,
): Promise<number> {
  const examples = await examplesOf(sources[0]?.uri ?? "");
  const [first] = examples;
  const { values } =
    first === undefined ? { values: {} } : await loadInputObject(pathToUri(first), { reader: diskReader });
  const page = documentHelp({
    process,
    command: `weft run ${shellWord(document)}`,
    examples: examples.map((path) => shellWord(relative(cwd, path))),
    values,
    cwd,
  });
  stdout.write(`${page}\n`);
  return EXIT.success;
}

/** Input objects in `examples/` next to a document, as in a catalog. */
async function examplesOf(uri: string): Promise<readonly string[]> {
  if (!uri.startsWith("file:")) return [];
  const folder = join(dirname(fileURLToPath(uri)), "examples");
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}
