import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import type { RunLog } from "../journal/run-log.ts";
import type { FileRow, RunRow } from "../journal/rows.ts";
import type { Log } from "../log.ts";
import type { PlacedOutputs } from "../sink/place-run.ts";
import type { Placement } from "../sink/plan-placements.ts";
import { SIDECAR_ENDING, SidecarTexts } from "./sidecar-texts.ts";
import { Reach } from "../files/beneath/reach.ts";
import { placeFiles, type PlacingOptions } from "../sink/place-files.ts";
import { placedText } from "../sink/derivative/deliver-derivatives.ts";
import { errorText } from "../error-text.ts";

export interface SidecarServices extends RunLog, Pick<PlacingOptions, "sinks" | "sync"> {
  readonly log: Log;
}

/**
 * Writes provenance next to each output copied to a sink, if the run requests it; one file for a whole folder. Never
 * replaces an existing file. Runs before the end of the run is recorded, so that a server repeats it after a crash. A
 * failure is logged and does not change the run.
 */
export async function writeSinkSidecars(
  { runId, files, placements, reach }: PlacedOutputs,
  { journal, uris, sinks, sync, log }: SidecarServices,
): Promise<void> {
  const { read } = journal;
  const run = read.run(runId);
  if (run?.options.sidecars !== true) return;
  const texts = new SidecarTexts(run, { read, uris, reach });
  const byUri = new Map(files.map((file) => [file.uri, file]));
  // A text has no source to read.
  const options = { runId, sinks, sync, reach: new Reach({ regions: [] }) };
  for (const of of wholesOf(placements)) {
    const file = of.whole.location === undefined ? undefined : byUri.get(uris.toPortable(of.whole.location));
    if (file === undefined) continue;
    const name = `${of.whole.path.at(-1) ?? ""}${SIDECAR_ENDING}`;
    const placement = placedText({ ...of, path: of.whole.path }, name, await texts.of(rowOf(file, run)));
    const fault = await placeFiles([placement], options, []).catch((error: unknown) => ({ message: errorText(error) }));
    if (fault !== undefined)
      log("warn", "provenance could not be written next to an output", { run_id: runId, why: fault.message });
  }
}

/** One placement for each complete file or folder. */
function wholesOf(placements: readonly Placement[]): Iterable<Placement> {
  return new Map(
    placements.map((placement) => [[placement.root, ...placement.whole.path].join("/"), placement]),
  ).values();
}

/** An output of the run, as the log will record it. */
function rowOf(file: RecordedFile, { runId, updatedMs }: RunRow): FileRow {
  const { port, place = "", name, uri, checksum, sha256 = null, size } = file;
  return {
    id: 0,
    runId,
    jobId: null,
    step: null,
    sampleId: null,
    direction: "output",
    port,
    place,
    class: file.class ?? "File",
    name,
    uri,
    sourceUri: file.source_uri ?? null,
    checksum,
    sha256,
    size,
    timeMs: updatedMs,
  };
}
