import { randomUUID } from "node:crypto";
import { statSync, constants } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile, copyFile, stat } from "node:fs/promises";
import { join, dirname, relative } from "node:path";
import { parseExactJson, parseJson } from "@weft/shared/json/exact-json.ts";
import type { Limits } from "@weft/shared/limits.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { crateAddressSchema } from "@weft/shared/events/crate-event.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import { undefinedIfMissing } from "../../files/beneath/undefined-if-missing.ts";
import { unpackStream, type UnpackLimits } from "../../archive/unpack/unpack-zip.ts";
import { syncToDisk } from "../../files/write-durably.ts";
import { textDigest } from "../../files/hash-file.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Blob } from "../../journal/journal-event.ts";
import { refusalOfSystem } from "../../journal/storage/storage-problem.ts";
import type { RunIds } from "../../runs/begin/run-ids.ts";
import { findingText, VerifyRefused } from "../verify/finding.ts";
import { METADATA, verifyCrate, type CrateReport } from "../verify/verify-crate.ts";
import type { CrateToImport } from "../../port/engine.ts";
import { safePath } from "../../archive/unpack/safe-path.ts";
import { listBelow } from "../../files/list-below.ts";
import { clearImport, RUN_NOTE } from "./clear-imports.ts";
import { foldEvents, type FoldedRun } from "./fold-events.ts";
import { unreadable } from "./foreign/foreign-graph.ts";
import type { ForeignCrate, ImportEvent } from "./foreign/prepare-foreign.ts";
import { inOwnThread } from "../../async/own-thread.ts";
import { namedByDocument } from "./named-by-document.ts";
import { placePayload } from "./place-payload.ts";
import { readCrateEvents, type ImportedEvent } from "./read-crate-events.ts";
import { tryImport } from "./try-import.ts";

export interface ImportServices {
  readonly journal: Journal;
  readonly ids: RunIds;
  /** Absolute paths of folders on one disk; the first may not exist yet. */
  readonly importsFolder: string;
  readonly runsFolder: string;
  /** Limit for the zip, and for its unpacked content. */
  readonly maxBytes: number;
  readonly limits: Limits;
}

const MAX_ENTRIES = 500_000;

/**
 * Imports a crate as a run of this server that can be viewed, searched and compared, and reproduced if Weft made it.
 * Returns its id here. Checks everything first: each file and event against the crate's checksums, and each event as
 * untrusted input. Refuses `invalid-crate` (and names the file), `conflict` if the run is already here, and
 * `body-too-large`. The files are on disk before the log names them. If the import fails, they are removed; after a
 * crash, at the next start (see clear-imports.ts).
 */
export async function importCrate(principal: string, crate: CrateToImport, services: ImportServices): Promise<string> {
  const folder = join(services.importsFolder, randomUUID());
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await unpack(crate, folder, services);
    return await recordImport(principal, folder, services);
  } catch (error) {
    throw refusalOfSystem(error) ?? error;
  } finally {
    await clear(folder, services);
  }
}

/** After a disk error, it is unknown whether the log has recorded the run: the next start finds out. */
async function clear(folder: string, { journal, runsFolder }: ImportServices): Promise<void> {
  if (journal.storageProblem !== "failed") await clearImport(folder, { runsFolder, read: journal.read });
}

async function unpack(crate: CrateToImport, folder: string, { maxBytes }: ImportServices): Promise<void> {
  const limits = { entries: MAX_ENTRIES, bytes: maxBytes };
  const unpacked = join(folder, "crate");
  await mkdir(unpacked);
  if (crate.kind === "folder") return copyCrateFolder(crate.path, unpacked, limits);
  const tooLarge = `A crate may have at most ${maxBytes} bytes.`;
  await unpackStream(crate.content, { zip: join(folder, "crate.zip"), folder: unpacked }, { ...limits, tooLarge });
}

async function recordImport(principal: string, folder: string, services: ImportServices): Promise<string> {
  const { journal, ids, runsFolder } = services;
  const runId = ids.next();
  const made = join(folder, "run");
  const own = { principal, runId, crate: join(folder, "crate"), folder: made };
  // Weft's own crate of a foreign run has no events.
  const events = statSync(join(own.crate, "weft/events.jsonl"), { throwIfNoEntry: false });
  const isForeign = events === undefined || events.size === 0;
  const event = isForeign ? await prepareInThread({ ...own, nowMs: journal.nowMs() }) : await prepareOwn(own, services);
  refuseKnown(event.data.made_as, journal);
  if (!isForeign) await tryImport(event, runId, journal.read.features);
  await noteRun(folder, runId);
  await rename(made, join(runsFolder, runId));
  await chmod(join(runsFolder, runId), 0o700);
  await syncToDisk(runsFolder);
  const [recorded] = await journal.append([event]);
  if (recorded !== null) return runId;
  throw alreadyHere(event.data.made_as, journal);
}

/** The memory of the thread, which is enough for metadata of the maximum size. */
const HEAP_MB = 2048;

/**
 * Prepares a foreign run in a thread of its own: its metadata may have 64 MiB, and a hostile crate may exhaust the
 * memory of the thread, but not of the server.
 */
function prepareInThread(crate: ForeignCrate): Promise<ImportEvent> {
  return inOwnThread<ImportEvent>({
    script: new URL("./foreign/prepare-worker.ts", import.meta.url),
    input: crate,
    heapMb: HEAP_MB,
    tooCostly: () => unreadable("its metadata takes too much memory to read"),
  });
}

/** The run of a crate that Weft wrote, with its files in the future run folder. */
async function prepareOwn(own: Omit<ForeignCrate, "nowMs">, { journal, limits }: ImportServices): Promise<ImportEvent> {
  const { principal, runId, crate, folder } = own;
  const report = await requireWhole(crate);
  const text = await readFile(join(crate, "weft/events.jsonl"), "utf8");
  const events = readCrateEvents(text);
  refuseKnown(events[0].line.run_id ?? "", journal);
  const documents = await readDocuments(crate);
  const folded = foldEvents({
    events,
    runId,
    principal,
    blob: (digest) => documents.get(digest),
    limits,
    knownAs: (madeAs) => (journal.read.importOf(madeAs) ?? journal.read.run(madeAs))?.runId,
  });
  const attempts = new Map(events.flatMap(({ event }) => attemptOf(event)));
  const addresses = await readAddresses(crate);
  const { payload } = report;
  const named = namedByDocument({ created: events[0].event, folded, documents, addresses, payload });
  const files = await placePayload({ crate, payload, ...folded, addresses, named, folder, attempts });
  return importEvent({ principal, runId, events, text, documents, folded, files, report });
}

/** Leaves a note for the next start, in case the log never records the run. */
async function noteRun(folder: string, runId: string): Promise<void> {
  await writeFile(join(folder, RUN_NOTE), runId);
  await syncToDisk(join(folder, RUN_NOTE));
  await syncToDisk(folder);
}

async function requireWhole(crate: string): Promise<CrateReport> {
  const report = await verifyCrate(crate).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw new Refusal("invalid-crate", `This is not a crate: ${METADATA} is missing.`);
    if (error instanceof VerifyRefused) throw new Refusal("invalid-crate", `${error.message}.`);
    throw error;
  });
  const { findings } = report;
  if (findings.length === 0) return report;
  const shown = findings.slice(0, SHOWN).map(findingText).join("; ");
  const more = findings.length > SHOWN ? ` (and ${findings.length - SHOWN} more)` : "";
  throw new Refusal("invalid-crate", `The crate has been changed since it was made: ${shown}${more}.`);
}

const SHOWN = 5;

function refuseKnown(madeAs: string, journal: Journal): void {
  if (journal.read.run(madeAs) !== undefined)
    throw new Refusal("conflict", `This server made the run ${madeAs} itself; there is nothing to import.`);
  if (journal.read.importOf(madeAs) !== undefined) throw alreadyHere(madeAs, journal);
}

function alreadyHere(madeAs: string, journal: Journal): Refusal {
  const known = journal.read.importOf(madeAs);
  const here = known === undefined ? "another run" : `${known.name} (${known.runId})`;
  return new Refusal("conflict", `The run ${madeAs} has already been imported; here it is ${here}.`);
}

/** The metadata contain the checksum of the whole file, and each text must match its digest. */
async function readDocuments(crate: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(crate, "weft/documents.jsonl"), "utf8");
  return new Map(
    linesOf(text).map((line) => {
      const { digest, text: of } = parseExactJson(line) as { digest: string; text: string }; // its digest was checked
      return [digest, of];
    }),
  );
}

/** Reads the addresses of files, which crates of older versions do not have. */
async function readAddresses(crate: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(crate, "weft/files.jsonl"), "utf8").catch(undefinedIfMissing);
  const addresses = linesOf(text ?? "").flatMap((line) => crateAddressSchema.safeParse(parseJson(line)).data ?? []);
  return new Map(addresses.map(({ uri, name }) => [uri, name]));
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

function attemptOf({ type, data, ...event }: ImportedEvent["event"]): [string, number][] {
  return type === "job.started" && "job_id" in event ? [[event.job_id, data.attempt]] : [];
}

interface Imported {
  readonly principal: string;
  readonly runId: string;
  readonly events: readonly [ImportedEvent, ...ImportedEvent[]];
  readonly text: string;
  readonly documents: ReadonlyMap<string, string>;
  readonly folded: FoldedRun;
  readonly files: readonly RecordedFile[];
  readonly report: CrateReport;
}

function importEvent({ principal, runId, events, text, documents, folded, files, report }: Imported): ImportEvent {
  const [{ line, event: created }] = events;
  const data = created.type === "run.created" ? created.data : undefined;
  const blobOf = (of: string): Blob => ({ digest: textDigest(of), text: of });
  const eventLog = blobOf(text);
  const taken = blobOf(folded.events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  return {
    type: "run.imported",
    run_id: runId,
    actor: principal,
    data: {
      made_as: line.run_id ?? "",
      made_by: line.actor,
      made_at: line.time,
      ...(data?.engine_version === undefined ? {} : { engine_version: data.engine_version }),
      crate_sha256: report.metadataSha256,
      events: eventLog.digest,
      folded: taken.digest,
      document: data?.document ?? "",
      files,
    },
    blobs: [eventLog, taken, ...folded.blobs, ...[...documents].map(([digest, of]) => ({ digest, text: of }))],
  };
}

/**
 * Copies an unpacked crate, so that exactly what is checked is imported. Refuses `invalid-crate` for links and devices,
 * and `body-too-large`.
 */
async function copyCrateFolder(from: string, to: string, limits: UnpackLimits): Promise<void> {
  const entries = await listBelow(from);
  if (entries.length > limits.entries)
    throw new Refusal(
      "body-too-large",
      `The crate has ${entries.length} files; at most ${limits.entries} are allowed.`,
    );
  let left = limits.bytes;
  for (const entry of entries) {
    const source = join(entry.parentPath, entry.name);
    const path = safePath(relative(from, source));
    if (entry.isDirectory()) {
      await mkdir(join(to, path), { recursive: true });
      continue;
    }
    if (!entry.isFile())
      throw new Refusal("invalid-crate", `"${path}" in the crate is a link or a device, not a file.`);
    left -= (await stat(source)).size;
    if (left < 0) throw new Refusal("body-too-large", `A crate may have at most ${limits.bytes} bytes.`);
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(source, join(to, path), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
}
