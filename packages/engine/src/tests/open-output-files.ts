import { fileURLToPath } from "node:url";
import type { ScriptEngine } from "@weft/cwl/expression/script-engine.ts";
import type { OutputFiles } from "@weft/language/tool-tests/judge-content.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { runLater } from "../files/beneath/steps.ts";
import { compareImages } from "./compare-images.ts";
import { errorText } from "../error-text.ts";

export interface OutputFilesOptions {
  /** Covers the outputs and the tests. */
  readonly reach: Reach;
  /** Evaluates patterns with a limit on time. */
  readonly script: ScriptEngine;
}

const MAX_TEXT = 16 * 1024 * 1024;
const MAX_IMAGE = 256 * 1024 * 1024;
/** The maximum size of a text for `matches`, because the script gets the whole text. */
const MAX_MATCHED = 4 * 1024 * 1024;

/** Reads the files that tests examine, each once for consecutive checks of it. */
export function openOutputFiles({ reach, script }: OutputFilesOptions): OutputFiles {
  let last: { readonly uri: string; readonly bytes: Promise<Uint8Array> } | undefined;
  const read = (uri: string, most: number) => {
    if (last?.uri !== uri) last = { uri, bytes: readWhole(uri, most, reach) };
    return last.bytes;
  };
  return {
    readText: async ({ location = "" }) => new TextDecoder().decode(await read(location, MAX_TEXT)),
    readImage: (location) => readWhole(location, MAX_IMAGE, reach),
    matches: async (pattern, text) => {
      if (text.length > MAX_MATCHED)
        throw new Error(`is too large for \`matches\` (more than ${MAX_MATCHED >> 20} MiB)`);
      const code = 'return new RegExp(inputs.pattern, "m").test(inputs.text);';
      return (await script.run({ form: "body", code, library: [], variables: { inputs: { pattern, text } } })) === true;
    },
    compareImages,
  };
}

async function readWhole(uri: string, most: number, reach: Reach): Promise<Uint8Array> {
  if (!uri.startsWith("file:")) throw new Error(`${uri} is not on this machine`);
  const path = fileURLToPath(uri);
  using file = await runLater(reach.openFile(path)).catch((error: unknown) => {
    throw new Error(`${path} cannot be read: ${errorText(error)}`);
  });
  if (file.stats.size > most)
    throw new Error(`is larger than ${most >> 20} MiB, so only its checksum and size can be tested`);
  return await runLater(file.read(0, most));
}
