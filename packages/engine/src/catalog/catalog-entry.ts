import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { formatKnowledge, type FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { ValidationIssue } from "@weft/shared/records/process-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { explainOffline } from "../files/remote/web-reader.ts";
import { textDigest } from "../files/hash-file.ts";
import { containerRequests } from "../container/container-requests.ts";
import { IGNORED, withoutContainer } from "../container/containers.ts";
import { loadTests, type CatalogTest } from "./catalog-test.ts";
import { loadFairly, packedText } from "./load-fairly.ts";
import { PIN_FILE, readPin, type Pin } from "./read-pin.ts";
import type { CatalogPlace } from "./scan-catalog.ts";

/** One loaded version of a tool or network. An invalid one stays listed with its errors. */
export interface CatalogEntry {
  readonly place: CatalogPlace;
  /** `file:` URL of its document. */
  readonly uri: string;
  readonly process: Process | undefined;
  readonly formats: FormatKnowledge;
  readonly issues: readonly ValidationIssue[];
  readonly digest: string;
  /** Packed canonical JSON; undefined if the document is too broken to pack. */
  readonly packed: string | undefined;
  /** Present for a version that was imported from another registry. */
  readonly pin: Pin | undefined;
  readonly sources: readonly { readonly file: string; readonly text: string }[];
  readonly examples: readonly { readonly name: string; readonly inputs: CwlObject }[];
  readonly tests: readonly CatalogTest[];
}

/** A document that can run: from the catalog, a draft, one that arrived through WES, or one that an earlier run recorded. */
export interface RunnableEntry extends Pick<CatalogEntry, "uri" | "digest" | "formats"> {
  readonly place: Pick<CatalogPlace, "kind" | "id" | "version">;
  readonly process: Process;
  /** Packed canonical JSON. */
  readonly packed: string;
}

type Loaded = Pick<CatalogEntry, "process" | "packed" | "issues">;

/** True if a run of it may start. */
export function isRunnable<Entry extends Loaded>(
  entry: Entry,
): entry is Entry & Pick<RunnableEntry, "process" | "packed"> {
  return entry.process !== undefined && entry.packed !== undefined && errorsOf(entry).length === 0;
}

/** Refuses a document with errors; `named` is its subject in the refusal. */
export function requireRunnable(entry: CatalogEntry, named: string): CatalogEntry & RunnableEntry {
  if (isRunnable(entry)) return entry;
  const errors = errorsOf(entry).map((issue) => {
    const { severity: _, message: detail, ...where } = issue;
    return { ...where, detail };
  });
  const first = errors[0];
  const place = first === undefined ? "" : ` The first: ${first.file}:${first.line}:${first.column}: ${first.detail}`;
  throw new Refusal(
    "invalid-document",
    `${named} cannot run: its document has ${errors.length === 1 ? "an error" : `${errors.length} errors`}.${place}`,
    { errors },
  );
}

function errorsOf({ issues }: Pick<CatalogEntry, "issues">): readonly ValidationIssue[] {
  return issues.filter(({ severity }) => severity === "error");
}

interface CatalogSurroundings {
  /** Absolute path of the catalog's root folder. */
  readonly root: string;
  readonly reader: DocumentReader;
  readonly ignoresContainers: boolean;
}

export async function loadCatalogEntry(
  place: CatalogPlace,
  { root, reader, ignoresContainers }: CatalogSurroundings,
): Promise<CatalogEntry> {
  const name = place.documents.find((document) => document === `${place.id}.cwl`) ?? place.documents[0] ?? "";
  const uri = pathToUri(join(place.folder, name));
  const loaded = await loadFairly(uri, reader);
  const file = (address: string) => relative(root, fileURLToPath(address.split("#")[0] ?? address));
  const pin = place.isPinned ? await readPin(place.folder) : undefined;
  const issues = [
    ...pinIssues(pin, file(uri)),
    ...explainOffline(loaded.diagnostics).map((diagnostic) => toIssue(diagnostic, file, root)),
    ...placeIssues(place, loaded, { file: file(uri), ignoresContainers }),
  ];
  const packed = packedText(loaded);
  return {
    place,
    uri,
    process: loaded.process,
    formats: formatKnowledge(loaded),
    issues,
    digest: textDigest(packed ?? loaded.sources.map((source) => source.text).join("\n")),
    packed,
    pin,
    sources: loaded.sources.map((source) => ({ file: file(source.uri), text: source.text })),
    examples: await loadExamples(place, reader),
    tests: await loadTests(place, { reader, toIssue: (found) => toIssue(found, file, root) }),
  };
}

function toIssue(diagnostic: Diagnostic, file: (address: string) => string, root: string): ValidationIssue {
  const { severity, code, message, line, column, hint } = diagnostic;
  return {
    severity,
    code,
    message: message.replaceAll(`${pathToUri(root)}/`, ""),
    file: file(diagnostic.file),
    line,
    column,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** An error of the version as a whole. */
function wholeIssue(file: string, code: string, message: string): ValidationIssue {
  return { severity: "error", code, message, file, line: 1, column: 1 };
}

/** A version whose files differ from its pin must not run under its old name. */
function pinIssues(pin: Pin | undefined, file: string): ValidationIssue[] {
  const what = `does not match ${PIN_FILE}; restore it, or publish or import it as another version`;
  return (pin?.changed ?? []).map((name) => wholeIssue(file, "changed-since-import", `${name} ${what}`));
}

/** Issues with the document's location or where it would run, rather than its content. */
function placeIssues(
  { id, kind, documents }: CatalogPlace,
  { process }: LoadedDocument,
  { file, ignoresContainers }: { readonly file: string; readonly ignoresContainers: boolean },
): ValidationIssue[] {
  const wishes = process === undefined || !ignoresContainers ? [] : containerRequests(process);
  const issues = wishes.map((wish): ValidationIssue => ({
    ...wholeIssue(file, "no-container", withoutContainer(wish, IGNORED)),
    severity: "warning",
  }));
  if (documents.length > 1 && !documents.includes(`${id}.cwl`)) {
    const message = `the folder has ${documents.length} documents (${documents.join(", ")}); keep one, or name one ${id}.cwl`;
    issues.push(wholeIssue(file, "several-documents", message));
  }
  if (process !== undefined && (process.class === "Workflow") !== (kind === "network")) {
    const right = process.class === "Workflow" ? "networks" : "tools";
    issues.push(wholeIssue(file, "wrong-class", `a ${process.class} is in the folder ${kind}s; move it to ${right}/`));
  }
  return issues;
}

async function loadExamples(place: CatalogPlace, reader: DocumentReader): Promise<CatalogEntry["examples"]> {
  const folder = pathToUri(join(place.folder, "examples", "/"));
  const loaded = await Promise.all(
    place.examples.map(async (name) => ({
      name: basename(name).replace(/\.(ya?ml|json)$/, ""),
      object: await loadInputObject(folder + encodeURIComponent(name), { reader }),
    })),
  );
  // Leaves out invalid examples.
  return loaded
    .filter(({ object }) => object.diagnostics.every(({ severity }) => severity !== "error"))
    .map(({ name, object }) => ({ name, inputs: object.values }));
}
