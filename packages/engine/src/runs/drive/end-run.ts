import { join } from "node:path";
import { listDirectories } from "@weft/cwl/outputs/list-directories.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Outcome, RunState, StateReason } from "@weft/shared/records/state.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { RunLog } from "../../journal/run-log.ts";
import { textDigest } from "../../files/hash-file.ts";
import { toFailure } from "../../jobs/job-failure.ts";
import { filesOf } from "../../values/map-files.ts";
import { publishOutputs } from "../../jobs/stage/publish-outputs.ts";
import { recordInTurns } from "../../values/record-in-turns.ts";
import type { RecordedFile, RecordedKill } from "@weft/shared/events/event-parts.ts";
import type { Blob, NewEvent } from "../../journal/journal-event.ts";
import { placeRun } from "../../sink/place-run.ts";
import type { PlacedOutputs, PlacedRun, SinkServices } from "../../sink/place-run.ts";
import { sampleSources } from "../../sink/derivative/sample-sources.ts";
import { isPictureOfSample, reviewEvent } from "./review-event.ts";
import type { RunContext } from "./run-context.ts";

const FILES_OF_EVENT = 500;

/** The end of a run before its outputs are published; publishing may still fail. */
export interface RunEnd {
  readonly state: RunState;
  readonly outcome: Outcome;
  readonly reason: StateReason | null;
  /** What to publish; for failed runs, the outputs that exist. */
  readonly outputs: CwlObject | undefined;
}

export interface EndServices extends RunLog, SinkServices {
  readonly files: FileAccess;
  readonly limits: Limits;
  readonly runsFolder: string;
  /** Called when outputs of a run have been copied, before the end of the run is recorded. Never rejects. */
  readonly onPlaced: (placed: PlacedOutputs) => Promise<void>;
}

type EndingRun = Pick<RunContext, "runId" | "outputsFolder" | "sinks" | "samples" | "process" | "values">;

/** The result of driving the run. */
export interface DrivenEnd extends RunEnd {
  /** The bound inputs; empty if the run failed before binding them. */
  readonly inputs: CwlObject;
  /** By list output: the names of its elements. */
  readonly outputNames: () => ReadonlyMap<string, readonly string[]>;
  /** How its processes were ended, if they were. */
  readonly kill: RecordedKill | undefined;
  /** Events about the killed jobs, to append with the end. */
  readonly killed: readonly NewEvent[];
}

/**
 * Publishes the outputs, copies them to their destinations, and records the end: synced to disk first, then one commit.
 * After a crash, a server repeats all of it and finds what is already done.
 */
export async function endRun(run: EndingRun, driven: DrivenEnd, services: EndServices): Promise<void> {
  const sources = new Map<string, string>();
  const published = await publish(run, driven, { services, sources });
  const placed = await placeOutputs(run, published, services);
  const { state, outcome, reason, outputs } = placed === undefined ? published : withPlacing(published, placed);
  const pages = new FilePages(run.runId, services, placed !== undefined);
  const recording = { uris: services.uris, sources, filesPerPage: FILES_OF_EVENT, takePage: pages.record };
  const recorded = outputs === undefined ? undefined : await recordInTurns(outputs, recording);
  const { before } = pages;
  const last = recorded?.files ?? [];
  pages.see(last);
  const list = placed === undefined ? undefined : blobOf(placed.placed);
  if (placed !== undefined)
    await services.onPlaced({ ...placed, runId: run.runId, files: pages.kept, reach: services.reach });
  const event: NewEvent = {
    type: "run.ended",
    run_id: run.runId,
    actor: "engine",
    data: {
      state,
      outcome,
      reason,
      outputs: recorded?.blob.digest ?? null,
      files: last,
      ...(before === 0 ? {} : { files_before: before }),
      ...(driven.kill === undefined ? {} : { kill: driven.kill }),
      ...(list === undefined ? {} : { placed: list.digest }),
    },
    blobs: [recorded?.blob, list].filter((blob) => blob !== undefined),
  };
  const review = outcome === "success" ? reviewEvent(run.runId, pages.picture, services.journal.read) : undefined;
  await services.journal.append([...driven.killed, event, ...(review === undefined ? [] : [review])]);
}

/** Records all but the last files, which come with the end of the run: no event and no commit becomes long. */
class FilePages {
  /** How many are recorded. */
  before = 0;
  /** The first picture of a sample. */
  picture: RecordedFile | undefined;
  /** All files, if they are needed again. */
  readonly kept: RecordedFile[] = [];
  readonly #runId: string;
  readonly #log: RunLog;
  readonly #keeps: boolean;

  constructor(runId: string, log: RunLog, keeps: boolean) {
    this.#runId = runId;
    this.#log = log;
    this.#keeps = keeps;
  }

  readonly record = async (files: readonly RecordedFile[]): Promise<void> => {
    this.see(files);
    const data = { first: this.before, files };
    await this.#log.journal.append([{ type: "run.outputs", run_id: this.#runId, actor: "engine", data }]);
    this.before += files.length;
  };

  see(files: readonly RecordedFile[]): void {
    this.picture ??= files.find(isPictureOfSample);
    if (this.#keeps) for (const file of files) this.kept.push(file);
  }
}

function blobOf(value: unknown): Blob {
  const text = JSON.stringify(value);
  return { digest: textDigest(text), text };
}

async function publish(
  run: EndingRun,
  driven: DrivenEnd,
  { services, sources }: { readonly services: EndServices; readonly sources: Map<string, string> },
): Promise<DrivenEnd> {
  if (driven.outputs === undefined) return driven;
  try {
    const options = {
      folder: run.outputsFolder ?? join(services.runsFolder, run.runId, "outputs"),
      ownFolder: join(services.runsFolder, run.runId),
      inputs: new Set(filesOf(driven.inputs).flatMap(({ file }) => file.location ?? [])),
      reach: services.reach,
      sync: services.sync,
      limits: services.limits,
      localUri: async (location: string) => (await services.files.realUri(location)) ?? location,
      moved: (from: string, to: string) => sources.set(to, from),
    };
    const published = await publishOutputs(driven.outputs, options);
    return { ...driven, outputs: await listDirectories(published, services) };
  } catch (error) {
    const { state, reason } = toFailure(error, "STAGE_OUT");
    return { ...driven, state, outcome: "failure", reason, outputs: undefined };
  }
}

/** Undefined if nothing is to be copied. */
async function placeOutputs(
  { runId, sinks, samples, process, values }: EndingRun,
  { outputs, outputNames }: DrivenEnd,
  services: EndServices,
): Promise<PlacedRun | undefined> {
  if (Object.keys(sinks).length === 0) return undefined;
  if (outputs === undefined) return { placed: [], placements: [], failure: undefined };
  const sources = sampleSources(values, samples, services.uris);
  const request = { runId, sinks, samples, sources, outputs, outputNames: outputNames() };
  return placeRun({ ...request, ports: process.outputs }, services);
}

/** The outputs exist nevertheless, so the run partly succeeded. Earlier failures are reported first. */
function withPlacing(end: RunEnd, { failure }: PlacedRun): RunEnd {
  if (failure === undefined) return end;
  const { reason } = failure;
  const told =
    end.reason === null ? reason : { ...end.reason, message: `${end.reason.message}; and ${reason.message}` };
  return { ...end, state: end.reason === null ? failure.state : end.state, outcome: "partial", reason: told };
}
