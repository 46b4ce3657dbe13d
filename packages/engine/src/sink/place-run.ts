import type { PlacedFile } from "@weft/shared/records/placed-file.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import { toFailure } from "../jobs/job-failure.ts";
import type { JobFailure } from "../jobs/job-failure.ts";
import { placeFiles } from "./place-files.ts";
import { planPlacements } from "./plan-placements.ts";
import type { Placement, PlacementRequest } from "./plan-placements.ts";
import type { Reach } from "../files/beneath/reach.ts";
import type { SinkFolders } from "./sink-folders.ts";

export interface SinkServices {
  readonly reach: Reach;
  readonly sinks: SinkFolders;
  readonly sync: boolean;
}

export interface PlacedOutputs {
  readonly runId: string;
  /** The outputs of the run, as its end is about to record them. */
  readonly files: readonly RecordedFile[];
  readonly placements: readonly Placement[];
  /** The files that the run may read. */
  readonly reach: Reach;
}

export interface PlacedRun {
  /** What has been copied, even if something failed afterwards. */
  readonly placed: readonly PlacedFile[];
  /** The copies with their sources. */
  readonly placements: readonly Placement[];
  readonly failure: JobFailure | undefined;
}

/** Copies the published outputs of a run to its sinks. */
export async function placeRun(request: PlacementRequest, { reach, sinks, sync }: SinkServices): Promise<PlacedRun> {
  const placements = planPlacements(request);
  if (typeof placements === "string")
    return { placed: [], placements: [], failure: unplaced(placements, "change `sink_data` and run again") };
  const placed: Placement[] = [];
  const answer = (failure: JobFailure | undefined) => ({
    placed: placed.flatMap(toRecord),
    placements: placed,
    failure,
  });
  try {
    const fault = await placeFiles(placements, { runId: request.runId, reach, sinks, sync }, placed);
    return answer(fault && unplaced(fault.message, fault.hint));
  } catch (error) {
    return answer(toFailure(error, "STAGE_OUT"));
  }
}

function unplaced(message: string, hint: string): JobFailure {
  return { state: "SYSTEM_ERROR", reason: { code: "STAGE_OUT", message, hint } };
}

/** A folder without files counts as no file. */
function toRecord({ output, sampleId, root, path, file }: Placement): PlacedFile[] {
  if (file === undefined) return [];
  const uri = `vfs://${root}/${path.map(encodeURIComponent).join("/")}`;
  return [{ output, sample_id: sampleId, uri, checksum: file.checksum, size: file.size }];
}
