import { join } from "node:path";
import { listDirectories } from "@weft/cwl/outputs/list-directories.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Outcome, RunState, StateReason } from "@weft/shared/records/state.ts";
import { toFailure } from "../job/job-failure.ts";
import { filesOf } from "../files/map-files.ts";
import { publishOutputs } from "../job/publish-outputs.ts";
import { recordValues } from "../job/record-values.ts";
import type { NewEvent, RecordedKill } from "../journal/journal-event.ts";
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

export interface EndingRun extends Pick<RunPlan, "runId" | "outputsFolder"> {
  /** Bound; empty where it did not come so far. */
  readonly inputs: CwlObject;
  /** How its processes were ended, if they were. */
  readonly kill: RecordedKill | undefined;
}

/** Publishes the outputs and records the end: durable on disk first, then one commit. */
export async function endRun(plan: EndingRun, services: RunServices, end: RunEnd): Promise<void> {
  const sources = new Map<string, string>();
  const published = await publish(plan, services, { end, sources });
  const recorded =
    published.outputs === undefined ? undefined : recordValues(published.outputs, services.uris, sources);
  const event: NewEvent = {
    type: "run.ended",
    run_id: plan.runId,
    actor: "engine",
    data: {
      state: published.state,
      outcome: published.outcome,
      reason: published.reason,
      outputs: recorded?.blob.digest ?? null,
      files: recorded?.files ?? [],
      ...(plan.kill === undefined ? {} : { kill: plan.kill }),
    },
    ...(recorded === undefined ? {} : { blobs: [recorded.blob] }),
  };
  await services.journal.append([event]);
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
      sync: services.sync,
      localUri: async (location: string) => (await services.files.realUri(location)) ?? location,
      moved: (from: string, to: string) => sources.set(to, from),
    };
    const published = await publishOutputs(end.outputs, options);
    return { ...end, outputs: await listDirectories(published, services.files) };
  } catch (error) {
    const { state, reason } = toFailure(error, "STAGE_OUT");
    return { state, outcome: "failure", reason, outputs: undefined };
  }
}
