import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PortableUris } from "../../files/portable-uri.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import { LOG_VERSION } from "../../journal/schema.ts";
import { toStoredEvent } from "../../journal/event-hash.ts";
import { VerifyRefused, type Finding } from "./finding.ts";
import { EventChain, eventText, type Head, type HashedEvent } from "./verify-events.ts";
import { FileCheck } from "./verify-files.ts";
import { textDigest } from "../../files/hash-file.ts";

export interface StateToVerify {
  readonly stateFolder: string;
  /** Name → folder of inputs outside the state folder. */
  readonly dataFolders: Readonly<Record<string, string>>;
  /** The hash that the log must still contain. */
  readonly expected: Head | undefined;
  /** False to check only the log, not the files of runs. */
  readonly withFiles: boolean;
}

export interface VerifyReport {
  readonly findings: readonly Finding[];
  readonly head: Head;
  readonly documents: number;
  readonly filesChecked: number;
  readonly filesUnchecked: number;
}

/**
 * Verifies a whole state folder, even while its server is running: every event against the hash chain, every document
 * against its digest, every file against the events. Ignores the projections, which follow from the events.
 */
export async function verifyState(state: StateToVerify): Promise<VerifyReport> {
  using db = openLog(resolve(state.stateFolder));
  const chain = new EventChain(state.expected);
  const files = new FileCheck(urisOf(state));
  const findings: Finding[] = [];
  const known = db.prepare("SELECT 1 FROM blobs WHERE digest = ?1 UNION SELECT 1 FROM long_blobs WHERE digest = ?1");
  const has = (digest: string) => known.get(digest) !== undefined;
  for (const event of readEvents(db)) {
    findings.push(...chain.follow(event));
    const data = parseData(event.data);
    findings.push(...findMissingDocuments(event, data, has));
    if (state.withFiles) for (const file of filesOfEvent(event, data)) await files.check(file, eventText(event));
  }
  findings.push(...chain.end());
  let documents = 0;
  for (const finding of verifyDocuments(db)) {
    documents += 1;
    if (finding !== undefined) findings.push(finding);
  }
  return {
    findings: [...findings, ...files.findings],
    head: chain.head,
    documents,
    filesChecked: files.checked,
    filesUnchecked: files.unchecked,
  };
}

function openLog(root: string): DatabaseSync {
  const path = join(root, "weft.db");
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new VerifyRefused(`there is no Weft state folder at ${root} (weft.db is missing)`);
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  const version = Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version === LOG_VERSION) {
    // Reads a snapshot of the log, whatever its server writes meanwhile.
    db.exec("BEGIN");
    return db;
  }
  db.close();
  throw new VerifyRefused(
    version > LOG_VERSION
      ? "the state folder was written by a newer version of Weft; verify it with that version"
      : "the state folder was written by an older version of Weft; start `weft serve` with it once, then verify it",
  );
}

/** Parses recorded data. Text that is no longer JSON was changed, which the hash chain has already reported. */
function parseData(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>; // the log contains only objects
  } catch {
    return {};
  }
}

const BATCH = 1000;

function* readEvents(db: DatabaseSync): Generator<HashedEvent> {
  const select = db.prepare("SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?");
  let rows = select.all(0, BATCH);
  while (rows.length > 0) {
    for (const row of rows) yield { ...toStoredEvent(row), hash: String(row["hash"]) };
    rows = select.all(Number(rows.at(-1)?.["seq"]), BATCH);
  }
}

/** The producer of a file has recorded it before a job reads it. */
const RECORDERS: ReadonlySet<string> = new Set(["run.inputs", "run.outputs", "job.ended", "run.ended", "run.imported"]);

export function filesOfEvent(
  event: { readonly type: string },
  data: Readonly<Record<string, unknown>>,
): readonly RecordedFile[] {
  const { files } = data;
  if (!RECORDERS.has(event.type) || !Array.isArray(files)) return [];
  return files as readonly RecordedFile[]; // these events carry them, see journal-event.ts
}

function urisOf({ stateFolder, dataFolders }: StateToVerify): PortableUris {
  const root = resolve(stateFolder);
  const folders = Object.entries(dataFolders).map(([name, folder]) => [name, resolve(folder)] as const);
  const own = ["runs", "uploads", "wes-documents"].map((name) => [name, join(root, name)] as const);
  return new PortableUris(Object.fromEntries([...folders, ...own]));
}

/** Documents, input and output objects: each is stored under the digest of its text. */
function* verifyDocuments(db: DatabaseSync): Generator<Finding | undefined> {
  for (const { digest, text } of db.prepare("SELECT digest, text FROM blobs").iterate())
    yield checkDocument(digest, textDigest(String(text)));
  for (const { digest, parts } of db.prepare("SELECT digest, parts FROM long_blobs").iterate())
    yield checkDocument(digest, digestOfParts(db, parts));
}

function checkDocument(recorded: unknown, found: string): Finding | undefined {
  return found === recorded
    ? undefined
    : { kind: "document-changed", subject: `document ${String(recorded)}`, detail: "its text was changed" };
}

/** Hashes the texts of all parts in order; a missing part changes the digest. */
function digestOfParts(db: DatabaseSync, parts: unknown): string {
  const texts = db.prepare(
    `SELECT blobs.text FROM json_each(iif(json_valid(?1), ?1, '[]')) AS part JOIN blobs ON blobs.digest = part.value
       ORDER BY part.key`,
  );
  const hash = createHash("sha256");
  for (const { text } of texts.iterate(String(parts))) hash.update(String(text));
  return `sha256:${hash.digest("hex")}`;
}

/** The documents that an event refers to must exist. */
function* findMissingDocuments(
  event: HashedEvent,
  data: Readonly<Record<string, unknown>>,
  has: (digest: string) => boolean,
): Generator<Finding> {
  for (const field of ["document", "inputs", "outputs", "events", "folded"]) {
    const digest = data[field];
    if (typeof digest !== "string" || has(digest)) continue;
    yield {
      kind: "document-missing",
      subject: `document ${digest}`,
      detail: `is missing; it is the field ${field} of ${eventText(event)}`,
    };
  }
}
