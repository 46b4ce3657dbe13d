import { join } from "node:path";
import { listDirectories } from "@weft/cwl/outputs/list-directories.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Outcome, RunState, StateReason } from "@weft/shared/records/state.ts";
import { textDigest } from "../../files/hash-file.ts";
import { toFailure } from "../../jobs/job-failure.ts";
import { filesOf } from "../../values/map-files.ts";
import { publishOutputs } from "../../jobs/stage/publish-outputs.ts";
import { recordValues } from "../../values/record-values.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import type { Blob, NewEvent } from "../../journal/journal-event.ts";
import { placeRun } from "../../sink/place-run.ts";
import type { PlacedRun } from "../../sink/place-run.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunServices } from "./run-services.ts";

/** How a run ends, before its outputs are published: publishing may still fail. */
export interface RunEnd {
  readonly state: RunState;
  readonly outcome: Outcome;
  readonly reason: StateReason | null;
  /** What there is to publish; of failed runs the outputs that exist. */
  readonly outputs: CwlObject | undefined;
}

export interface EndingRun extends Pick<RunPlan, "runId" | "outputsFolder" | "sinks" | "samples" | "progress"> {
  /** Bound; empty where it did not come so far. */
  readonly inputs: CwlObject;
  /** How its processes were ended, if they were. */
  readonly kill: RecordedKill | undefined;
  /** The same job by job. */
  readonly killed: readonly NewEvent[];
}

/**
 * Publishes the outputs, copies them to the places that were asked for and records the end: durable on disk first, then
 * one commit. A server that ended in between does all of it again, and finds what it had done.
 */
export async function endRun(plan: EndingRun, services: RunServices, end: RunEnd): Promise<void> {
  const sources = new Map<string, string>();
  const published = await publish(plan, services, { end, sources });
  const placed = await placeOutputs(plan, services, published);
  const { state, outcome, reason, outputs } = placed === undefined ? published : withPlacing(published, placed);
  const recorded = outputs === undefined ? undefined : recordValues(outputs, services.uris, sources);
  const list = placed === undefined ? undefined : blobOf(placed.placed);
  if (placed !== undefined)
    await services.onPlaced({ ...placed, runId: plan.runId, files: recorded?.files ?? [], reach: services.reach });
  const event: NewEvent = {
    type: "run.ended",
    run_id: plan.runId,
    actor: "engine",
    data: {
      state,
      outcome,
      reason,
      outputs: recorded?.blob.digest ?? null,
      files: recorded?.files ?? [],
      ...(plan.kill === undefined ? {} : { kill: plan.kill }),
      ...(list === undefined ? {} : { placed: list.digest }),
    },
    blobs: [recorded?.blob, list].filter((blob) => blob !== undefined),
  };
  await services.journal.append([...plan.killed, event]);
}

function blobOf(value: unknown): Blob {
  const text = JSON.stringify(value);
  return { digest: textDigest(text), text };
}

async function publish(
  plan: EndingRun,
  services: RunServices,
  { end, sources }: { readonly end: RunEnd; readonly sources: Map<string, string> },
): Promise<RunEnd> {
  if (end.outputs === undefined) return end;
  try {
    const options = {
      folder: plan.outputsFolder,
      ownFolder: join(services.runsFolder, plan.runId),
      inputs: new Set(filesOf(plan.inputs).flatMap(({ file }) => file.location ?? [])),
      reach: services.reach,
      sync: services.sync,
      limits: services.limits,
      localUri: async (location: string) => (await services.files.realUri(location)) ?? location,
      moved: (from: string, to: string) => sources.set(to, from),
    };
    const published = await publishOutputs(end.outputs, options);
    return { ...end, outputs: await listDirectories(published, services) };
  } catch (error) {
    const { state, reason } = toFailure(error, "STAGE_OUT");
    return { state, outcome: "failure", reason, outputs: undefined };
  }
}

/** Undefined where nothing is to be placed anywhere. */
async function placeOutputs(
  { runId, sinks, samples, progress }: EndingRun,
  services: RunServices,
  { outputs }: RunEnd,
): Promise<PlacedRun | undefined> {
  if (Object.keys(sinks).length === 0) return undefined;
  if (outputs === undefined) return { placed: [], placements: [], failure: undefined };
  return placeRun({ runId, sinks, samples, outputs, outputNames: progress.outputNames() }, services);
}

/** The outputs are there all the same, so that the run is partly done. What had failed before is told first. */
function withPlacing(end: RunEnd, { failure }: PlacedRun): RunEnd {
  if (failure === undefined) return end;
  const { reason } = failure;
  const told =
    end.reason === null ? reason : { ...end.reason, message: `${end.reason.message}; and ${reason.message}` };
  return { ...end, state: end.reason === null ? failure.state : end.state, outcome: "partial", reason: told };
}
