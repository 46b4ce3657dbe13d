import { decodeEscapes } from "@weft/shared/text/decode-escapes.ts";
import { hash } from "node:crypto";
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import { decodeUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import { resolveReference } from "@weft/cwl/values/resolve-reference.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";

const MAX_DOCUMENT_FILES = 200;
/** Total size of the document, its imports and its ontologies. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;
/** Total size of the files that it names, such as scripts. */
const MAX_HELPER_BYTES = 64 * 1024 * 1024;

/** A folder that exists only while a document is read: no reference leads from it to this machine's disk. */
const ROOT = "file:///attached/";

/** Paths of attachments → paths on this machine. */
export interface AttachedFiles {
  readonly files: ReadonlyMap<string, string>;
  /** A path in `files`, with `#id` for a part of a `$graph`. */
  readonly primary: string;
}

/** A file that the document needs. */
export interface NeededFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface AttachedDocument {
  /** `file` is the path of an attachment. */
  readonly errors: readonly Diagnostic[];
  readonly kind: "network" | "tool";
  readonly label: string | undefined;
  readonly needed: readonly NeededFile[];
}

/** Reads a file of at most so many bytes; refuses a larger one. */
export type ReadFile = (path: string, maxBytes: number) => Promise<Buffer>;

export function tooLarge(why: string): Refusal {
  const limits = `At most ${MAX_TEXT_BYTES >> 20} MiB of documents and ${MAX_HELPER_BYTES >> 20} MiB of other files are allowed.`;
  return new Refusal("invalid-document", `The document cannot run: ${why}. ${limits}`);
}

/**
 * Reads a document whose imports must be attachments. Finds the files that it needs, and content that is not allowed on
 * this server. Runs in a worker, because the document may be hostile.
 */
export async function readAttached({ files, primary }: AttachedFiles, readFile: ReadFile): Promise<AttachedDocument> {
  const needed = new Map<string, NeededFile>();
  let [textBytes, helperBytes] = [MAX_TEXT_BYTES, MAX_HELPER_BYTES];
  const read = async (path: string, isText: boolean): Promise<Buffer | undefined> => {
    const place = files.get(path);
    if (place === undefined) return undefined;
    if (needed.size >= MAX_DOCUMENT_FILES) throw tooLarge(`it needs more than ${MAX_DOCUMENT_FILES} files`);
    const content = await readFile(place, isText ? textBytes : helperBytes);
    if (isText) textBytes -= content.length;
    else helperBytes -= content.length;
    needed.set(path, { path, bytes: content.length, sha256: hash("sha256", content) });
    return content;
  };
  const reader = {
    read: async (uri: string) => {
      const bytes = await read(pathOf(uri) ?? "", true);
      return bytes === undefined ? undefined : decodeUtf8(bytes);
    },
  };
  const uri = uriOf(primary);
  const loaded = await loadDocument(uri, { reader });
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  const { process } = loaded;
  const packed: unknown = process === undefined || errors.length > 0 ? undefined : packDocument({ ...loaded, process });
  const found: Finding[] = [];
  for (const location of locationsIn(packed, found)) {
    const paths = attachmentsAt(resolveReference(location, uri), files);
    if (paths.length === 0) found.push(notAttached(location));
    for (const path of paths) if (!needed.has(path)) await read(path, false);
  }
  return {
    errors: [
      ...errors.map(withPlainPath),
      ...found.map((finding): Diagnostic => ({ severity: "error", file: primary, line: 1, column: 1, ...finding })),
    ],
    kind: process?.class === "Workflow" ? "network" : "tool",
    label: process?.label,
    needed: [...needed.values()],
  };
}

type Finding = Pick<Diagnostic, "code" | "message" | "hint">;

function uriOf(path: string): string {
  const [file = "", ...fragment] = path.split("#");
  return [ROOT + file.split("/").map(encodeURIComponent).join("/"), ...fragment].join("#");
}

/** The path of an attachment; undefined for any other address. */
function pathOf(uri: string): string | undefined {
  return uri.startsWith(ROOT) ? decodeEscapes(uri.slice(ROOT.length)) : undefined;
}

/** The attachment at an address, or all below it. */
function attachmentsAt(uri: string | undefined, files: ReadonlyMap<string, string>): readonly string[] {
  const path = uri === undefined ? undefined : pathOf(uri.split("#")[0] ?? uri)?.replace(/\/+$/, "");
  if (path === undefined || path === "") return [];
  return files.has(path) ? [path] : [...files.keys()].filter((name) => name.startsWith(`${path}/`));
}

function withPlainPath(diagnostic: Diagnostic): Diagnostic {
  const { file, message, code, hint } = diagnostic;
  const shown = { ...diagnostic, file: pathOf(file) ?? file, message: message.replaceAll(ROOT, "") };
  if (code !== "unreadable" || hint !== undefined) return shown;
  return { ...shown, hint: "attach the file: documents that arrive through WES import only attachments" };
}

function notAttached(location: string): Finding {
  return {
    code: "not-attached",
    message: `the document names the file ${location.slice(0, 200)}, which is not attached`,
    hint: "attach it, or make it an input",
  };
}

/**
 * The locations of Files and Directories in a packed document. Adds forbidden content to `found`: images that are not
 * pulled, because loading or building them would use files of this machine.
 */
function* locationsIn(value: unknown, found: Finding[]): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* locationsIn(item, found);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const { class: type } = fields;
  if (type === "DockerRequirement") found.push(...imageFindings(fields));
  const { location = fields["path"] } = fields;
  if ((type === "File" || type === "Directory") && typeof location === "string") yield location;
  for (const field of Object.values(fields)) yield* locationsIn(field, found);
}

/** `registry:5000/name/part:tag@sha256:…`, without the transports that some engines support (`dir:/etc`). */
const IMAGE =
  /^(?:[a-z0-9][a-z0-9.-]*(?::\d{1,5})?\/)?[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/i;

function imageFindings(requirement: Readonly<Record<string, unknown>>): Finding[] {
  const code = "image-not-pulled";
  const other = ["dockerLoad", "dockerImport", "dockerFile"].find((field) => requirement[field] !== undefined);
  if (other !== undefined)
    return [
      { code, message: `${other} is not allowed in a document that arrives through WES`, hint: "use dockerPull" },
    ];
  const names = [requirement["dockerPull"], requirement["dockerImageId"]].filter((name) => name !== undefined);
  const wrong = names.find((name) => typeof name !== "string" || !IMAGE.test(name));
  return wrong === undefined ? [] : [{ code, message: `${String(wrong).slice(0, 200)} is not the name of an image` }];
}
