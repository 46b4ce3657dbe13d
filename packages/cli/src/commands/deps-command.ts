import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import { relativeReference } from "@weft/cwl/values/resolve-reference.ts";
import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { nameOfUri, pathToUri } from "@weft/cwl/values/file-uri.ts";
import { isArray, isFileOrDirectory, isObject } from "@weft/cwl/values/value-kind.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit.ts";
import { oneOf, type Settings } from "../settings/read-settings.ts";
import { documentUri, loadCwl } from "./load-cwl.ts";

/** A file that a document or an input object refers to. */
interface Dependency {
  readonly class: "File" | "Directory";
  readonly uri: string;
  readonly isDocument: boolean;
}

const CWL_FORMAT = "https://www.iana.org/assignments/media-types/application/cwl";

/** Lists the files that a document, or an input object, refers to: paths, or a File with `secondaryFiles` as JSON. */
export async function depsCommand(settings: Settings): Promise<number> {
  const [document = ""] = settings.positionals;
  const root = documentUri(document, settings.io).replace(/#.*$/s, "");
  const relative = oneOf("relative-deps", settings.text("relative-deps") ?? "primary", ["primary", "cwd"]);
  const base = baseOf(relative, root, settings.io);
  const found = (await dependenciesOfInputs(root)) ?? (await dependenciesOf(document, settings.io));
  if (typeof found === "number") return found;
  const others = [...new Map(found.map((dependency) => [dependency.uri, dependency])).values()].filter(
    ({ uri }) => uri !== root,
  );
  const main: Dependency = { class: "File", uri: root, isDocument: true };
  const text = settings.isOn("json")
    ? JSON.stringify({ ...record(main, base), secondaryFiles: others.map((other) => record(other, base)) }, null, 2)
    : [main, ...others].map(({ uri }) => decodeURI(relativeReference(uri, base))).join("\n");
  settings.io.stdout.write(`${text}\n`);
  return EXIT.success;
}

/** The URI that printed paths are relative to. */
function baseOf(relative: string, root: string, { cwd }: CommandIo): string {
  if (relative === "cwd") return `${pathToUri(cwd)}/`;
  return root.startsWith("file:") ? `${pathToUri(dirname(fileURLToPath(root)))}/` : root;
}

/** Undefined if the file is not an input object: a document has a class or a `$graph`. */
async function dependenciesOfInputs(uri: string): Promise<readonly Dependency[] | undefined> {
  const { values, diagnostics, sources } = await loadInputObject(uri, { reader: diskReader });
  const isDocument = "class" in values || "$graph" in values || "cwlVersion" in values;
  if (isDocument || diagnostics.length > 0) return undefined;
  return [...sources.map(documentAt), ...filesIn(values)];
}

async function dependenciesOf(document: string, io: CommandIo): Promise<readonly Dependency[] | number> {
  const loaded = await loadCwl(document, io);
  if (typeof loaded === "number") return loaded;
  const schemas = loaded.schemas.map(({ uri }): Dependency => ({ class: "File", uri, isDocument: false }));
  return [...loaded.sources.map(documentAt), ...schemas, ...defaultFiles(loaded.process, new Set())];
}

function documentAt({ uri }: { readonly uri: string }): Dependency {
  return { class: "File", uri, isDocument: /\.(?:cwl|ya?ml|json)$/i.test(uri) };
}

/** Files in defaults of a process, of its steps, and of the processes that they run. */
function defaultFiles(subject: Process, seen: Set<Process>): readonly Dependency[] {
  if (seen.has(subject)) return [];
  seen.add(subject);
  const own = subject.inputs.flatMap((input) => filesIn(input.default));
  if (subject.class !== "Workflow") return own;
  const ofSteps = subject.steps.flatMap((step) => [
    ...step.in.flatMap((input) => filesIn(input.default)),
    ...defaultFiles(step.run, seen),
  ]);
  return [...own, ...ofSteps];
}

function filesIn(value: CwlValue | undefined): readonly Dependency[] {
  if (isArray(value)) return value.flatMap(filesIn);
  if (!isObject(value)) return [];
  const inner = Object.values(value).flatMap(filesIn);
  const isPlaced = isFileOrDirectory(value) && value.location !== undefined && !value.location.startsWith("_:");
  return isPlaced ? [{ class: value.class, uri: value.location, isDocument: false }, ...inner] : inner;
}

function record({ class: kind, uri, isDocument }: Dependency, base: string) {
  const format = isDocument && uri.endsWith(".cwl") ? { format: CWL_FORMAT } : {};
  return { class: kind, location: relativeReference(uri, base), basename: nameOfUri(uri), ...format };
}
