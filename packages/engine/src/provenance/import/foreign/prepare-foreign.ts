import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { textDigest } from "../../../files/hash-file.ts";
import type { NewEvent } from "../../../journal/journal-event.ts";
import { METADATA } from "../../verify/verify-crate.ts";
import { foreignEvents } from "./foreign-events.ts";
import { placeForeignFiles, type ForeignPlaces } from "./foreign-files.ts";
import { ForeignGraph, lastPart, unreadable } from "./foreign-graph.ts";
import { readForeignRun, type ForeignRun } from "./foreign-run.ts";
import { ForeignValues } from "./foreign-values.ts";

export interface ForeignCrate extends ForeignPlaces {
  readonly principal: string;
  readonly nowMs: number;
}

export type ImportEvent = Extract<NewEvent, { readonly type: "run.imported" }>;

const MAX_METADATA_BYTES = 64 * 1024 * 1024;

/**
 * Prepares the run of a Workflow Run Crate that another program wrote: its files are in the future run folder, and the
 * returned event describes it. Refuses `invalid-crate`.
 */
export async function prepareForeign(request: ForeignCrate): Promise<ImportEvent> {
  const { crate, runId, principal, nowMs } = request;
  const metadata = await readMetadata(crate);
  const run = readForeignRun(new ForeignGraph(metadata));
  const files = await placeForeignFiles(run, request);
  const values = new ForeignValues(run.graph, files);
  const { events, blobs, document, missing } = foreignEvents(run, { runId, principal, values, nowMs });
  const folded = events.map((event) => `${JSON.stringify(event)}\n`).join("");
  const digest = textDigest(metadata);
  const keep = [folded, ""].map((text) => ({ digest: textDigest(text), text }));
  return {
    type: "run.imported",
    run_id: runId,
    actor: principal,
    data: {
      made_as: `${run.action.id.slice(0, 200)} in crate ${digest.slice("sha256:".length, "sha256:".length + 12)}`,
      made_by: run.agent ?? "someone",
      made_at: new Date(events[0]?.time_ms ?? nowMs).toISOString(),
      crate_sha256: digest.slice("sha256:".length),
      events: textDigest(""),
      folded: textDigest(folded),
      document,
      files: files.all.map(({ uri, content }) => ({
        port: "",
        name: lastPart(uri),
        uri,
        checksum: content.checksum,
        ...(content.sha256 === null ? {} : { sha256: content.sha256 }),
        size: content.size,
      })),
      foreign: foreignFacts(run, missing),
    },
    blobs: [...keep, ...blobs],
  };
}

function foreignFacts({ engine, language, isCwl, profiles }: ForeignRun, missing: readonly string[]) {
  return {
    engine: engine ?? null,
    language: language?.slice(0, 200) ?? null,
    is_cwl: isCwl,
    profiles: profiles.slice(0, 20).map((profile) => profile.slice(0, 200)),
    missing: [...missing],
  };
}

async function readMetadata(crate: string): Promise<string> {
  const path = join(crate, METADATA);
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) throw new Refusal("invalid-crate", `This is not a crate: ${METADATA} is missing.`);
  if (stats.size > MAX_METADATA_BYTES) throw unreadable(`${METADATA} has more than ${MAX_METADATA_BYTES} bytes`);
  return readFile(path, "utf8");
}
