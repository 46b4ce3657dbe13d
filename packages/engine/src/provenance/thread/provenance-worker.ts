import { hash } from "node:crypto";
import type { Readable } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import { createLinks } from "@weft/shared/links.ts";
import type { RunComparison } from "@weft/shared/records/comparison-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { zipArchive } from "../../archive/zip-archive.ts";
import type { Caller, HashedText } from "../../port/engine.ts";
import { openServerFiles } from "../../access/open-server-files.ts";
import { createLogReader } from "../../journal/log-reader.ts";
import { InsightReader, isInsightTask } from "../../insight/insight-tasks.ts";
import { openForReading } from "../../journal/open-database.ts";
import type { RunRow } from "../../journal/rows.ts";
import { requireVisibleRun, visibleOwner } from "../../access/visible-runs.ts";
import { compareRuns } from "../compare/compare-runs.ts";
import { usedByRun } from "../compare/used-by-run.ts";
import { crateOfRun } from "../crate-of-run.ts";
import { lineageOfRun } from "../lineage-of-run.ts";
import { provJson } from "../prov-json.ts";
import { provOfRun } from "../prov-of-run.ts";
import { realPathOf } from "../real-path-of.ts";
import { layOutRun } from "../../present/lay-out-run.ts";
import { presentValues, valuesToShow } from "../../present/present-values.ts";
import { RecentLayouts } from "../../present/recent-layouts.ts";
import { pageOfResults } from "../../present/result-rows.ts";
import type { ResultLayout, ResultPage } from "../../present/result-rows.ts";
import { SampleTables } from "../../table/sample-tables.ts";
import type {
  ArchiveBlock,
  FillTask,
  ProvenanceAnswer,
  ProvenanceFailure,
  ProvenanceRequest,
  ProvenanceTask,
  ProvenanceText,
  ProvenanceThreadData,
  ResultsTask,
} from "./provenance-task.ts";

const { database, folders } = workerData as ProvenanceThreadData; // started by provenance-threads.ts
const read = createLogReader(openForReading(database), "reader");
const { roots, access } = openServerFiles(folders, read);

const tables = new SampleTables({ read, roots, access });

const insight = new InsightReader(read, roots.uris);

const BLOCK_BYTES = 256 * 1024;

parentPort?.on("message", (message: ProvenanceRequest | object) => {
  // Node's watch mode also sends messages through a worker's port.
  if ("task" in message) void answer(message);
});

async function answer({ task, caller: { principal, othersRuns, base }, port }: ProvenanceRequest): Promise<void> {
  const post = (message: ProvenanceAnswer, moved: readonly ArrayBuffer[] = []) => port.postMessage(message, [...moved]);
  const caller = { principal, othersRuns, links: createLinks(base) };
  try {
    if (task.kind === "comparison") return post({ comparison: await compare(caller, task) });
    if (isInsightTask(task)) return post({ insight: await insight.answer(caller, task) });
    const run = requireVisibleRun(read, task.runId, caller);
    if (task.kind === "results") return post({ results: results(run, caller, task) });
    if (task.kind === "lineage")
      return post({ lineage: lineageOfRun({ ...task, visibleOwner: visibleOwner(caller) }, read, caller.links) });
    if (task.kind === "crate") return await sendCrate(run, caller, port);
    const text = hashed(
      await bytesOf(task.kind === "table" || task.kind === "filled" ? task : { kind: task.kind }, run, caller),
    );
    post(text, [text.bytes.buffer]);
  } catch (error) {
    post(failureOf(error));
  }
}

type BytesTask = Extract<ProvenanceTask, { readonly kind: "table" | "filled" }> | { readonly kind: ProvenanceText };

async function bytesOf(task: BytesTask, run: RunRow, caller: Caller): Promise<Uint8Array<ArrayBuffer>> {
  if (task.kind === "table") return tables.answer(caller, task);
  const text = task.kind === "filled" ? fill(run, caller, task) : await textOf(task.kind, run, caller);
  return new TextEncoder().encode(text);
}

async function textOf(kind: ProvenanceText, run: RunRow, caller: Caller): Promise<string> {
  if (kind === "crate-metadata") return (await crate(run, caller)).metadata;
  return JSON.stringify(provJson(provOfRun(run, read)));
}

function fill(run: RunRow, { links }: Caller, { record, places }: FillTask): string {
  const { inputs, outputs, placed } = places;
  if (inputs !== undefined) put(record, inputs, presentValues(read.blobToShow(run.inputs), links));
  if (outputs !== undefined && run.outputs !== null)
    put(record, outputs, presentValues(read.blobToShow(run.outputs), links));
  if (placed !== undefined && run.placed !== null) put(record, placed, JSON.parse(read.blob(run.placed)));
  return JSON.stringify(record);
}

/** A layout is as large as the outputs of its run. */
const layouts = new RecentLayouts<ResultLayout>(2);

/** The outputs of an ended run never change; a damaged log has none. */
function results({ runId, outputs }: RunRow, { links }: Caller, { declared, page }: ResultsTask): ResultPage {
  const layout = layouts.get(`${runId} ${outputs ?? ""}`, () =>
    layOutRun(runId, { outputs: outputs === null ? {} : valuesToShow(read.blobToShow(outputs)), declared }, read),
  );
  return pageOfResults(layout, page, links);
}

/** Replaces what is at the end of a path of keys. */
function put(record: object, keys: readonly string[], value: unknown): void {
  const [key = "", ...rest] = keys;
  const [name] = Object.entries(record).find(([found]) => found === key) ?? [];
  if (name === undefined) throw new Error(`the record has no place ${keys.join(".")}`);
  if (rest.length === 0) Object.assign(record, { [name]: value });
  else put(Object(Reflect.get(record, name)), rest, value);
}

function hashed(bytes: Uint8Array<ArrayBuffer>): HashedText<Uint8Array<ArrayBuffer>> {
  return { bytes, sha256: hash("sha256", bytes, "base64url") };
}

function located(caller: Caller) {
  const { reach } = access.ofCaller(caller);
  return { reach, resolve: (uri: string) => realPathOf(uri, { roots, reach }) };
}

function crate(run: RunRow, caller: Caller) {
  const { links } = caller;
  return crateOfRun(run, {
    read,
    uris: roots.uris,
    runsFolder: folders.places.runs,
    links,
    access,
    ...located(caller),
  });
}

async function compare(
  caller: Caller,
  { runIds: [firstId, secondId], tolerance }: Extract<ProvenanceTask, { readonly kind: "comparison" }>,
): Promise<RunComparison> {
  const [first, second] = [requireEnded(firstId, caller), requireEnded(secondId, caller)];
  return {
    run_id: firstId,
    with: secondId,
    ...(await compareRuns({ first, second }, read, { tolerance, uris: roots.uris, ...located(caller) })),
    used: {
      first: usedByRun(first, read.jobsOfRun(firstId)),
      second: usedByRun(second, read.jobsOfRun(secondId)),
    },
  };
}

function requireEnded(runId: string, caller: Caller): RunRow {
  const run = requireVisibleRun(read, runId, caller);
  if (run.endedMs === null) throw new Refusal("conflict", `The run ${runId} has not ended; compare it when it has.`);
  return run;
}

/**
 * Sends one block for each message from the other side, which sends one when it can take more. Stops when that side closes the
 * port.
 */
async function sendCrate(run: RunRow, caller: Caller, port: MessagePort): Promise<void> {
  const { parts } = await crate(run, caller);
  const zip = zipArchive(parts, new Date(run.endedMs ?? run.updatedMs));
  const blocks = blocksOf(zip);
  port.once("close", () => zip.destroy());
  port.on("message", () => void sendNext(blocks, port));
  port.postMessage({ ready: true } satisfies ProvenanceAnswer);
}

async function sendNext(blocks: AsyncGenerator<Uint8Array<ArrayBuffer>>, port: MessagePort): Promise<void> {
  try {
    const { value: block } = await blocks.next();
    port.postMessage({ block } satisfies ArchiveBlock, block === undefined ? [] : [block.buffer]);
  } catch (error) {
    port.postMessage(failureOf(error));
  }
}

/** Splits the bytes into blocks of one size, each with its own buffer, so that it can be transferred. */
async function* blocksOf(content: Readable): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  let block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  // Without an encoding, a stream yields buffers.
  for await (const chunk of content as AsyncIterable<Uint8Array>)
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + BLOCK_BYTES - filled);
      block.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < BLOCK_BYTES) continue;
      yield block;
      block = new Uint8Array(BLOCK_BYTES);
      filled = 0;
    }
  if (filled > 0) yield block.slice(0, filled);
}

function failureOf(error: unknown): ProvenanceFailure {
  if (error instanceof Refusal) return { failure: { code: error.code, message: error.message } };
  return {
    failure: { code: undefined, message: error instanceof Error ? (error.stack ?? error.message) : String(error) },
  };
}
