import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import type { RunLog } from "../journal/run-log.ts";
import type { FileRow, RunRow } from "../journal/rows.ts";
import type { Log } from "../log.ts";
import { placeSidecars } from "../sink/place-sidecars.ts";
import type { Sidecar } from "../sink/place-sidecars.ts";
import type { PlacedOutputs, SinkServices } from "../sink/place-run.ts";
import type { Placement } from "../sink/plan-placements.ts";
import { SidecarTexts } from "./sidecar-texts.ts";

export interface SidecarServices extends RunLog, Pick<SinkServices, "sinks" | "sync"> {
  readonly log: Log;
}

/**
 * Writes beside each output that was copied to a sink where it comes from, if the run asks for it; a folder has one for all that
 * is in it. Before the end of the run is recorded, so that a server which ends in between does it again. What cannot be
 * written is logged, and the run stays what it was.
 */
export async function leaveSinkSidecars(
  { runId, files, placements, reach }: PlacedOutputs,
  { journal, uris, sinks, sync, log }: SidecarServices,
): Promise<void> {
  const { read } = journal;
  const run = read.run(runId);
  if (run?.options.sidecars !== true) return;
  const texts = new SidecarTexts(run, { read, uris, reach });
  const byUri = new Map(files.map((file) => [file.uri, file]));
  const sidecars: Sidecar[] = [];
  for (const of of wholesOf(placements)) {
    const file = of.whole.location === undefined ? undefined : byUri.get(uris.toPortable(of.whole.location));
    if (file !== undefined) sidecars.push({ of, text: await texts.of(rowOf(file, run)) });
  }
  for (const why of await placeSidecars(sidecars, { runId, sinks, sync }))
    log("warn", "where an output comes from could not be written beside it", { run_id: runId, why });
}

/** One placement for each place that something whole has. */
function wholesOf(placements: readonly Placement[]): Iterable<Placement> {
  return new Map(
    placements.map((placement) => [[placement.root, ...placement.whole.path].join("/"), placement]),
  ).values();
}

/** An output of the run, as it will stand in the log. */
function rowOf(file: RecordedFile, { runId, updatedMs }: RunRow): FileRow {
  const { port, place = "", name, uri, checksum, sha256 = null, size } = file;
  const ofRun = {
    id: 0,
    runId,
    jobId: null,
    step: null,
    sampleId: null,
    direction: "output",
    timeMs: updatedMs,
  } as const;
  return {
    ...ofRun,
    port,
    place,
    class: file.class ?? "File",
    name,
    uri,
    sourceUri: file.source_uri ?? null,
    checksum,
    sha256,
    size,
  };
}
