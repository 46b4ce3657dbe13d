import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { buffer as readAll } from "node:stream/consumers";
import { decodeUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { isRecord } from "@weft/cwl/values/value-kind.ts";
import type { CommandIo } from "../io/command-io.ts";
import { UsageError } from "../exit/usage-error.ts";
import type { InputFlag } from "../inputs/input-flags.ts";
import { readInputFlags } from "../inputs/read-input-flags.ts";
import type { Inputs } from "../output/print-problems.ts";

export interface GivenWords {
  /** The input object, and flags of inputs. */
  readonly words: readonly string[];
  readonly flags: readonly InputFlag[];
  /** The input object that named the document. */
  readonly file: string | undefined;
  /** Base of relative file paths; absent: the folder of the input object, and for flags the current folder. */
  readonly baseFolder: string | undefined;
  readonly io: Pick<CommandIo, "stdin" | "cwd">;
}

/** The inputs of an input object, `-` for standard input, and of flags, which take precedence. Throws UsageError. */
export async function loadInputs(source: GivenWords, reader: DocumentReader): Promise<Inputs> {
  const { baseFolder, io } = source;
  const folder = resolve(io.cwd, baseFolder ?? ".");
  const { values, words } = await readInputFlags(source.words, source.flags, {
    baseUri: `${pathToUri(folder)}/`,
    addressOf: (text) => (isAddress(text) ? text : pathToUri(resolve(folder, text))),
    exists: (text) => isAddress(text) || existsSync(resolve(folder, text)),
  });
  const [file, ...more] = [...(source.file === undefined ? [] : [source.file]), ...words];
  if (more.length > 0) throw new UsageError(`only one input object can be source, not also ${more.join(" ")}`);
  if (file === undefined) return { loaded: { ...NOTHING, values }, uri: undefined };
  const { uri, reader: own } = await readerFor(file, source, reader);
  const loaded = await loadInputObject(uri, { reader: own });
  return { loaded: { ...loaded, values: merged(loaded.values, values) }, uri };
}

const NOTHING = { requirements: [], overrides: new Map(), diagnostics: [], sources: [] };

interface InputSource {
  readonly uri: string;
  readonly reader: DocumentReader;
}

/** With another base, the input object is read as if it were a file in that folder. */
async function readerFor(file: string, { baseFolder, io }: GivenWords, reader: DocumentReader): Promise<InputSource> {
  const address = isAddress(file) ? file : pathToUri(resolve(io.cwd, file));
  if (file !== "-" && baseFolder === undefined) return { uri: address, reader };
  const bytes = file === "-" ? await readAll(io.stdin) : undefined;
  const own = async () => (bytes === undefined ? reader.read(address) : decodeUtf8(bytes));
  const uri = pathToUri(resolve(io.cwd, baseFolder ?? ".", basename(file)));
  return { uri, reader: { read: async (requested) => (requested === uri ? own() : reader.read(requested)) } };
}

function isAddress(text: string): boolean {
  return /^(?:file|https?):\/\//i.test(text);
}

/** Fields of a record that flags give (`--sample.name`) join those of the input object. */
function merged(base: CwlObject, overrides: CwlObject): CwlObject {
  const values: { [name: string]: CwlValue } = Object.assign(Object.create(null), base);
  for (const [name, value] of Object.entries(overrides)) {
    const before = values[name];
    values[name] = isRecord(before) && isRecord(value) ? merged(before, value) : value;
  }
  return values;
}
