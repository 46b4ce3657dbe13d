import type { PlacedFile } from "@weft/shared/records/placed-file.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import { toFailure, type JobFailure } from "../jobs/job-failure.ts";
import { placeFiles } from "./place-files.ts";
import type { PlacingFault } from "./folders/sink-folders.ts";
import { planPlacements, type Placement, type PlacementRequest } from "./plan-placements.ts";
import {
  describeDatasets,
  listParticipants,
  refuseDatasets,
  withSidecars,
  type Delivery,
  type DeliveryServices,
} from "./derivative/deliver-derivatives.ts";
import type { Reach } from "../files/beneath/reach.ts";

export interface PlacedOutputs {
  readonly runId: string;
  /** The outputs of the run, as its end is about to record them. */
  readonly files: readonly RecordedFile[];
  readonly placements: readonly Placement[];
  /** The files that the run may read. */
  readonly reach: Reach;
}

export interface PlacedRun {
  /** The copied files, even if a later copy failed. */
  readonly placed: readonly PlacedFile[];
  /** The copies with their sources. */
  readonly placements: readonly Placement[];
  readonly failure: JobFailure | undefined;
}

/** Copies the published outputs of a run to its sinks. */
export async function placeRun(
  request: PlacementRequest & Pick<Delivery, "ports">,
  services: DeliveryServices,
): Promise<PlacedRun> {
  const planned = planPlacements(request);
  if (typeof planned === "string")
    return { placed: [], placements: [], failure: unplaced(planned, "change `sink_data` and run again") };
  const delivery = { ...request, placements: await withSidecars({ ...request, placements: planned }) };
  const placed: Placement[] = [];
  const answer = (failure: JobFailure | undefined) => ({
    placed: placed.flatMap(toRecord),
    placements: placed,
    failure,
  });
  try {
    const fault = await deliver(delivery, services, placed);
    return answer(fault && unplaced(fault.message, fault.hint));
  } catch (error) {
    return answer(toFailure(error, "STAGE_OUT"));
  }
}

/** Checks all destinations first, then describes datasets, copies, and lists the participants. */
async function deliver(
  delivery: Delivery,
  services: DeliveryServices,
  placed: Placement[],
): Promise<PlacingFault | undefined> {
  const refused = await refuseDatasets(delivery, services);
  if (refused !== undefined) return refused;
  const begin = () => describeDatasets(delivery, services);
  const options = { runId: delivery.runId, ...services, begin };
  const fault = await placeFiles(delivery.placements, options, placed);
  if (fault === undefined) await listParticipants(delivery, services);
  return fault;
}

function unplaced(message: string, hint: string): JobFailure {
  return { state: "SYSTEM_ERROR", reason: { code: "STAGE_OUT", message, hint } };
}

/** A folder without files counts as no file; the files that Weft writes about outputs do not count. */
function toRecord({ output, sampleId, root, path, file }: Placement): PlacedFile[] {
  if (file === undefined || file.text !== undefined) return [];
  const uri = `vfs://${root}/${path.map(encodeURIComponent).join("/")}`;
  return [{ output, sample_id: sampleId, uri, checksum: file.checksum, size: file.size }];
}
