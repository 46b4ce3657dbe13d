import { decoded } from "@weft/shared/text/decode-escapes.ts";
import { parseJson } from "@weft/shared/json/exact-json.ts";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { z } from "zod";
import {
  crateDocumentSchema,
  crateEntitySchema,
  crateFileSchema,
  crateLineSchema,
  type CrateLine,
} from "@weft/shared/events/crate-event.ts";
import { hashFile, textDigest } from "../../files/hash-file.ts";
import { listBelow } from "../../files/list-below.ts";
import { isBelow } from "../../files/is-below.ts";
import { eventHash } from "../../journal/event-hash.ts";
import { toStored } from "../crate/event-lines.ts";
import { VerifyRefused, type Finding } from "./finding.ts";
import { eventText } from "./verify-events.ts";

export interface CrateReport {
  readonly findings: readonly Finding[];
  readonly events: number;
  readonly files: number;
  /** Existing files and their entries in the metadata; everything is intact if there are no findings. */
  readonly payload: readonly PayloadFile[];
  /** SHA-256 of the metadata, which contain every file's own: it vouches for the whole crate. */
  readonly metadataSha256: string;
}

export interface PayloadFile {
  /** Path in the crate. */
  readonly name: string;
  readonly sha256: string;
}

export const METADATA = "ro-crate-metadata.json";

type ListedFile = z.infer<typeof crateEntitySchema>;

/**
 * Verifies an unpacked crate: every file against the metadata, every event against its hash, every document against its
 * digest, and the outputs in events against the actual files.
 */
export async function verifyCrate(folder: string): Promise<CrateReport> {
  const root = resolve(folder);
  const text = await readFile(join(root, METADATA), "utf8");
  const listed = listedFiles(text);
  const names = new Set(listed.map((file) => decoded(file["@id"])));
  const findings: Finding[] = [];
  for (const file of listed) findings.push(...(await checkFile(root, file)));
  for (const name of await filesIn(root)) if (name !== METADATA && !names.has(name)) findings.push(unlisted(name));
  const { lines: events, broken } = await readLines(root, "weft/events.jsonl", crateLineSchema);
  const documents = await readLines(root, "weft/documents.jsonl", crateDocumentSchema);
  findings.push(...broken, ...documents.broken);
  findings.push(...checkEvents(events), ...checkDocuments(documents.lines, events), ...missingOutputs(events, listed));
  return {
    findings,
    events: events.length,
    files: listed.length,
    payload: listed.flatMap(({ "@id": id, sha256 }) => (sha256 === undefined ? [] : [{ name: decoded(id), sha256 }])),
    metadataSha256: textDigest(text).slice("sha256:".length),
  };
}

/** Files of the metadata that are payload; external ones have a URL with a scheme, and parts of others a fragment. */
function listedFiles(text: string): readonly ListedFile[] {
  const graph = (parseJson(text) as { readonly "@graph"?: unknown } | null | undefined)?.["@graph"]; // any value except null has fields
  if (!Array.isArray(graph)) throw new VerifyRefused(`${METADATA} cannot be read: Weft did not write it`);
  return graph.flatMap((entity: unknown) => {
    const { success, data } = crateEntitySchema.safeParse(entity);
    return success && [data["@type"]].flat().includes("File") && !/^([a-z][a-z0-9+.-]*:|#)/i.test(data["@id"])
      ? [data]
      : [];
  });
}

async function checkFile(root: string, { "@id": id, sha256 }: ListedFile): Promise<Finding[]> {
  const name = decoded(id);
  const path = join(root, name);
  const subject = `file ${name}`;
  const isThere = isBelow(path, root) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (!isThere) return [{ kind: "file-missing", subject, detail: "is missing" }];
  if (sha256 === undefined) return [{ kind: "record-missing", subject, detail: `has no checksum in ${METADATA}` }];
  const content = await hashFile(path);
  if (content.sha256 === sha256) return [];
  return [
    { kind: "file-changed", subject, detail: `its content differs from its entry in ${METADATA} (sha256 ${sha256})` },
  ];
}

function unlisted(name: string): Finding {
  return { kind: "record-missing", subject: `file ${name}`, detail: `is not listed in ${METADATA}` };
}

function* checkEvents(events: readonly CrateLine[]): Generator<Finding> {
  for (const line of events) {
    const event = toStored(line);
    if (eventHash(line.previous, event) !== line.hash)
      yield { kind: "event-changed", subject: eventText(event), detail: "does not match its hash: it was changed" };
  }
}

type DocumentLine = z.infer<typeof crateDocumentSchema>;

function* checkDocuments(documents: readonly DocumentLine[], events: readonly CrateLine[]): Generator<Finding> {
  const known = new Set(documents.map(({ digest }) => digest));
  for (const { digest, text } of documents)
    if (textDigest(text) !== digest)
      yield { kind: "document-changed", subject: `document ${digest}`, detail: "its text was changed" };
  for (const { seq, type, data } of events)
    for (const field of ["document", "inputs", "outputs"]) {
      const digest = data[field];
      if (typeof digest === "string" && !known.has(digest))
        yield {
          kind: "document-missing",
          subject: `document ${digest}`,
          detail: `is missing; event ${seq} (${type}) refers to it`,
        };
    }
}

/** Finds a file that was changed together with its metadata entry. */
function* missingOutputs(events: readonly CrateLine[], listed: readonly ListedFile[]): Generator<Finding> {
  const contents = new Set(listed.map(({ name, sha256 }) => `${name}\n${sha256 ?? ""}`));
  for (const event of outputEvents(events))
    for (const { name, sha256, uri } of outputsOf(event))
      if (sha256 !== undefined && !contents.has(`${name}\n${sha256}`))
        yield {
          kind: "file-changed",
          subject: `output ${name}`,
          detail: `no file has the content recorded by event ${event.seq} (sha256 ${sha256}, ${uri})`,
        };
}

/** The end of the run, and the events before it that carry the first of many outputs. */
function outputEvents(events: readonly CrateLine[]): readonly CrateLine[] {
  const end = events.filter(({ type }) => type === "run.ended");
  if (end.every(({ data }) => data["files_before"] === undefined)) return end;
  const parts = events.filter(({ type }) => type === "run.outputs");
  return [...parts.slice(parts.findLastIndex(({ data }) => data["first"] === 0)), ...end];
}

/** The files that the event lists; skips entries that are not files. */
function outputsOf({ data }: CrateLine): readonly z.infer<typeof crateFileSchema>[] {
  const { files } = data;
  return Array.isArray(files) ? files.flatMap((file: unknown) => crateFileSchema.safeParse(file).data ?? []) : [];
}

interface Lines<Line> {
  readonly lines: readonly Line[];
  readonly broken: readonly Finding[];
}

async function readLines<Line>(root: string, name: string, schema: z.ZodType<Line>): Promise<Lines<Line>> {
  const path = join(root, name);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return { lines: [], broken: [] };
  const texts = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const parsed = texts.map((text) => schema.safeParse(parseJson(text)));
  const broken = parsed.flatMap(({ success }, index): Finding[] =>
    success
      ? []
      : [{ kind: "file-changed", subject: `file ${name}`, detail: `line ${index + 1} was not written by Weft` }],
  );
  return { lines: parsed.flatMap(({ data }) => data ?? []), broken };
}

async function filesIn(root: string): Promise<readonly string[]> {
  const entries = await listBelow(root);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
