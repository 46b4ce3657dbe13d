import { join } from "node:path";
import { directoryLister } from "@weft/cwl/outputs/list-directories.ts";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { EndedOutputs } from "@weft/cwl/workflow/advance.ts";
import { ResultList } from "@weft/cwl/workflow/result-list.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import type { RunLog } from "../../journal/run-log.ts";
import { toFailure } from "../../jobs/job-failure.ts";
import { openPublisher, type PublishOptions } from "../../jobs/stage/publish-outputs.ts";
import { sampleSources } from "../../sink/derivative/sample-sources.ts";
import { placeRun, type PlacedRun } from "../../sink/place-run.ts";
import { isArray } from "@weft/cwl/values/value-kind.ts";
import { filesOf } from "../../values/map-files.ts";
import { recordInTurns, type RecordedInTurns, type RecordedPage } from "../../values/record-in-turns.ts";
import type { RunContext } from "./run-context.ts";
import type { DrivenEnd, RunEnd } from "./run-outcome.ts";
import type { RunServices } from "./run-services.ts";
import type { NewEvent } from "../../journal/journal-event.ts";
import type { LogReader } from "../../journal/log-reader.ts";

const FILES_OF_EVENT = 500;

export type DeliveringRun = Pick<RunContext, "runId" | "outputsFolder" | "sinks" | "samples" | "process" | "values">;

/** The end of a run whose outputs are where they belong, and in the log except for the last page. */
export interface Delivered {
  readonly end: RunEnd;
  /** The last page. Undefined: the run has no outputs, and recorded ones do not count. */
  readonly recorded: RecordedInTurns | undefined;
  /** Number of files in the pages before. */
  readonly filesBefore: number;
  /** The first picture of a sample. */
  readonly picture: RecordedFile | undefined;
  /** The copies at other destinations, and the files of all outputs; undefined if there were no destinations. */
  readonly placed: (PlacedRun & { readonly files: readonly RecordedFile[] }) | undefined;
}

interface Delivery {
  readonly services: RunServices;
  readonly pages: OutputPages;
  /** The origin of each published file. */
  readonly sources: Map<string, string>;
  /** True if the run has destinations other than its own folder. */
  readonly placesOutputs: boolean;
}

/** Publishes the outputs of a run, copies them to their destinations and records them. A failure to publish ends the run as failed. */
export async function deliverOutputs(run: DeliveringRun, driven: DrivenEnd, services: RunServices): Promise<Delivered> {
  const hasSinks = Object.keys(run.sinks).length > 0;
  const pages = new OutputPages(run.runId, services, hasSinks);
  const delivery = { services, pages, sources: new Map<string, string>(), placesOutputs: hasSinks };
  const none = { end: driven, recorded: undefined, placed: hasSinks ? NOTHING_PLACED : undefined };
  const { outputs } = driven;
  if (outputs === undefined) return pages.describe(none);
  try {
    return pages.describe(await publishAndPlace(run, { ...driven, outputs }, delivery));
  } catch (error) {
    if (!(error instanceof Unpublished)) throw error;
    const { state, reason } = toFailure(error.cause, "STAGE_OUT");
    return pages.describe({ ...none, end: { state, outcome: "failure", reason, outputs: undefined } });
  }
}

const NOTHING_PLACED: PlacedRun = { placed: [], placements: [], failure: undefined };

type WithOutputs = DrivenEnd & { readonly outputs: EndedOutputs };

interface Recorded {
  readonly end: RunEnd;
  readonly recorded: RecordedInTurns | undefined;
  readonly placed: PlacedRun | undefined;
}

/**
 * Each element of a list is published and recorded before the next, so that a long list is in memory only once. If the run
 * has other destinations, all published outputs are kept: their names there depend on all of them.
 */
async function publishAndPlace(run: DeliveringRun, driven: WithOutputs, delivery: Delivery): Promise<Recorded> {
  const { services, pages, sources, placesOutputs } = delivery;
  using publisher = await ofPublishing(openPublisher(publishOptions(run, driven, delivery)));
  const list = directoryLister(services);
  const sync = () => ofPublishing(publisher.sync());
  const published = Object.fromEntries(Object.keys(driven.outputs).map((port): [string, CwlValue[]] => [port, []]));
  const recorded = await recordInTurns(driven.outputs, {
    ...{ uris: services.uris, sources, filesPerPage: FILES_OF_EVENT },
    async prepare(value, port) {
      sources.clear();
      const prepared = await ofPublishing(publisher.publish(value).then(list));
      if (placesOutputs) published[port]?.push(prepared);
      return prepared;
    },
    async takePage(page) {
      await sync();
      await pages.record(page);
    },
  });
  await sync();
  if (!placesOutputs) return { end: driven, recorded, placed: undefined };
  const whole = Object.entries(driven.outputs).map(([port, value]): [string, CwlValue] => {
    const values = published[port] ?? [];
    return [port, value instanceof ResultList || isArray(value) ? values : (values[0] ?? null)];
  });
  const placed = await placeOutputs(run, { ...driven, outputs: Object.fromEntries(whole) }, services);
  return { end: withPlacing(driven, placed), recorded, placed };
}

function publishOptions(
  run: DeliveringRun,
  driven: DrivenEnd,
  { services, sources }: Pick<Delivery, "services" | "sources">,
): PublishOptions {
  return {
    folder: run.outputsFolder ?? join(services.runsFolder, run.runId, "outputs"),
    ownFolder: join(services.runsFolder, run.runId),
    inputs: new Set(filesOf(driven.inputs).flatMap(({ file }) => file.location ?? [])),
    reach: services.reach,
    sync: services.sync,
    limits: services.limits,
    localUri: async (location) => (await services.files.realUri(location)) ?? location,
    moved: (from, to) => sources.set(to, from),
  };
}

/** Wraps a failure to publish outputs (`cause`), to distinguish it from a failure of the log. */
class Unpublished extends Error {}

async function ofPublishing<Value>(publishing: Promise<Value>): Promise<Value> {
  try {
    return await publishing;
  } catch (error) {
    throw new Unpublished("the outputs could not be published", { cause: error });
  }
}

function placeOutputs(
  { runId, sinks, samples, process, values }: DeliveringRun,
  { outputs, outputNames }: Pick<DrivenEnd, "outputNames"> & { readonly outputs: CwlObject },
  services: RunServices,
): Promise<PlacedRun> {
  const sources = sampleSources(values, samples, services.uris);
  const request = { runId, sinks, samples, sources, outputs, outputNames: outputNames() };
  return placeRun({ ...request, ports: process.outputs }, services);
}

/** The outputs exist nevertheless, so the run partly succeeded. Earlier failures are reported first. */
function withPlacing(end: RunEnd, { failure }: PlacedRun): RunEnd {
  if (failure === undefined) return end;
  const partial = { ...end, outcome: "partial" } as const;
  if (end.reason === null) return { ...partial, state: failure.state, reason: failure.reason };
  return { ...partial, reason: { ...end.reason, message: `${end.reason.message}; and ${failure.reason.message}` } };
}

/** Records all pages but the last, which comes with the end of the run: no event and no commit becomes long. */
class OutputPages {
  readonly #runId: string;
  readonly #log: RunLog;
  readonly #keeps: boolean;
  /** All files, if they are needed again. */
  readonly #kept: RecordedFile[] = [];
  #before = 0;
  #picture: RecordedFile | undefined;

  constructor(runId: string, log: RunLog, keeps: boolean) {
    this.#runId = runId;
    this.#log = log;
    this.#keeps = keeps;
  }

  readonly record = async ({ files, blobs }: RecordedPage): Promise<void> => {
    this.#see(files);
    const data = { first: this.#before, files };
    await this.#log.journal.append([{ type: "run.outputs", run_id: this.#runId, actor: "engine", data, blobs }]);
    this.#before += files.length;
  };

  describe({ end, recorded, placed }: Recorded): Delivered {
    if (recorded === undefined)
      return { end, recorded, filesBefore: 0, picture: undefined, placed: placed && { ...placed, files: [] } };
    this.#see(recorded.files);
    const all = placed && { ...placed, files: this.#kept };
    return { end, recorded, filesBefore: this.#before, picture: this.#picture, placed: all };
  }

  #see(files: readonly RecordedFile[]): void {
    this.#picture ??= files.find(isPictureOfSample);
    if (this.#keeps) for (const file of files) this.#kept.push(file);
  }
}

/** Media types that the gallery shows as pictures. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|bmp|avif|nii|nii\.gz|pdf)$/i;
const MAX_COUNTED = 100_000;

/** True for an element of a list: a single picture is about the run as a whole. */
function isPictureOfSample({ name, place = "" }: RecordedFile): boolean {
  return PICTURE.test(name) && /^\[\d+\]/.test(place);
}

/** Asks for a review of a run that succeeded and has a picture of a sample. Nobody can have reviewed them yet. */
export function reviewEvent(
  runId: string,
  picture: RecordedFile | undefined,
  read: Pick<LogReader, "samples">,
): NewEvent | undefined {
  if (picture === undefined) return undefined;
  const samples = read.samples(runId, MAX_COUNTED).length;
  if (samples === 0) return undefined;
  return { type: "run.review-needed", run_id: runId, actor: "engine", data: { output: picture.port, samples } };
}
