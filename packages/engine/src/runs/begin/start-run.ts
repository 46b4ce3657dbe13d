import { arch, platform } from "node:process";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { filesOf } from "../../values/map-files.ts";
import { usedItems } from "../../files/used-items.ts";
import type { EventData } from "@weft/shared/events/event.ts";
import type { Blob, NewEvent } from "../../journal/journal-event.ts";
import type { RunSecrets } from "../../secrets/run-secrets.ts";
import { listSteps } from "../drive/list-steps.ts";
import { recordInputsInBackground } from "./record-inputs.ts";
import type { InputRecorder, StartedRun } from "./record-inputs.ts";
import type { DatasetOfNewRun } from "./dataset-inputs.ts";
import type { KeptText } from "./kept-text.ts";
import type { RunActor } from "../drive/run-actor.ts";
import type { RunContext } from "../drive/run-context.ts";
import type { RunRegistry } from "../drive/run-registry.ts";
import type { RunLog } from "../../journal/run-log.ts";
import type { SecretStore } from "../../secrets/secret-store.ts";

type Created = EventData<"run.created">;

/** A run to start: what the log records about it and what its actor needs. */
export interface NewRun extends Omit<RunContext, "place" | "recorded" | "jobsRecorded"> {
  readonly actor: string;
  readonly name: string;
  readonly tags: Created["tags"];
  /** The name of the process in the catalog. */
  readonly place: { readonly kind: Created["kind"]; readonly id: string; readonly version: string | null };
  readonly processDigest: string;
  /** The packed document. */
  readonly document: KeptText;
  /** `file:` address or portable address of the document. */
  readonly documentUri: string;
  /** The input object with portable locations. */
  readonly inputs: KeptText;
  /** Texts that the placeholders in `values` replace. Absent: none. */
  readonly secrets?: RunSecrets;
  readonly idempotency?: Created["idempotency"];
  readonly retryOf?: string | undefined;
  readonly reproduces?: Created["reproduces"];
  readonly wes?: Created["wes"] | undefined;
  readonly draft?: Created["draft"] | undefined;
  readonly automation?: Created["automation"] | undefined;
  /** The query that gave it its samples. */
  readonly dataset?: DatasetOfNewRun | undefined;
  /** The test that the run is, with its text. */
  readonly test?: { readonly name: string; readonly text: KeptText; readonly uri: string } | undefined;
  /** Called with the bound inputs before the first job. Absent: their checksums are recorded in the background. */
  readonly onBound?: (started: StartedRun) => void;
}

export interface StartServices extends InputRecorder {
  /** The version of this Weft. */
  readonly version: string;
  readonly secrets: SecretStore;
}

/** Starts runs and registers their actors. */
export interface RunStarter {
  readonly services: StartServices;
  readonly registry: RunRegistry;
}

/**
 * Records and starts a run; every run of this server begins here. Resolves when the record is durable. Undefined if the
 * journal refused the run: its idempotency key is taken, or a file that it uses is being removed.
 */
export async function startRun(run: NewRun, { services, registry }: RunStarter): Promise<RunActor | undefined> {
  if (run.secrets !== undefined) services.secrets.keep(run.runId, run.secrets);
  if (!(await isRecorded(run, services))) return undefined;
  const { onBound = (started) => void recordInputsInBackground(started, services) } = run;
  return registry.start({
    ...run,
    place: { kind: run.place.kind, processId: run.place.id },
    bind: async (files) => {
      const bound = await run.bind(files);
      onBound({ runId: run.runId, bound, files });
      return bound;
    },
    recorded: () => undefined,
  });
}

/** Forgets the secrets of a run that does not start, also if the disk is the reason. */
async function isRecorded(run: NewRun, services: StartServices): Promise<boolean> {
  let isBegun = false;
  try {
    const [recorded] = await services.journal.append([createRunEvent(run, services), ...pinnedEvents(run)]);
    isBegun = recorded !== null;
  } finally {
    if (!isBegun) services.secrets.forget(run.runId);
  }
  return isBegun;
}

function createRunEvent(run: NewRun, services: Pick<StartServices, "uris" | "version">): NewEvent {
  const { process, place, document, inputs, samples, sinks, test, dataset } = run;
  const { label } = process;
  const uses = usedBy(run.values, services);
  return {
    type: "run.created",
    run_id: run.runId,
    actor: run.actor,
    data: {
      kind: place.kind,
      process_id: place.id,
      process_version: place.version,
      process_digest: run.processDigest,
      ...(label === undefined ? {} : { process_label: label }),
      name: run.name,
      tags: run.tags,
      options: run.options,
      document: document.digest,
      document_uri: services.uris.toPortable(run.documentUri),
      inputs: inputs.digest,
      samples,
      ...(Object.keys(sinks).length === 0 ? {} : { sinks }),
      ...(uses.length === 0 ? {} : { uses }),
      steps: listSteps(process),
      engine_version: services.version,
      engine_platform: `${platform}-${arch}`,
      ...causeOf(run),
    },
    blobs: [document, inputs, test?.text, dataset?.result].flatMap((kept) => blobOf(kept)),
  };
}

/** Why and from what the run began. */
function causeOf({
  idempotency,
  retryOf,
  reproduces,
  wes,
  draft,
  automation,
  test,
  dataset,
}: NewRun): Partial<Created> {
  return {
    ...(idempotency === undefined ? {} : { idempotency }),
    ...(retryOf === undefined ? {} : { retry_of: retryOf }),
    ...(reproduces === undefined ? {} : { reproduces }),
    ...(wes === undefined ? {} : { wes }),
    ...(draft === undefined ? {} : { draft }),
    ...(automation === undefined ? {} : { automation }),
    ...(test === undefined ? {} : { test: { ...test, text: test.text.digest } }),
    ...(dataset === undefined ? {} : { dataset: { ...dataset, result: dataset.result.digest } }),
  };
}

function blobOf(kept: KeptText | undefined): readonly Blob[] {
  return kept?.text === undefined ? [] : [{ digest: kept.digest, text: kept.text }];
}

/** A retried run reads the remote files that the earlier run downloaded, also after a restart. */
function pinnedEvents({ runId, pinned = [] }: NewRun): readonly NewEvent[] {
  if (pinned.length === 0) return [];
  return [{ type: "run.fetched", run_id: runId, actor: "engine", data: { files: pinned } }];
}

/** The first part of another run or upload that holds an input and is being removed. */
export function prunedInput(values: CwlObject, { journal, uris }: RunLog) {
  return usedBy(values, { uris }).find((item) => journal.read.pruned(item) !== undefined);
}

/** The parts of other runs and the uploads that hold the inputs. */
function usedBy(values: CwlObject, { uris }: Pick<RunLog, "uris">): readonly string[] {
  const locations = filesOf(values).flatMap(({ file }) => file.location ?? []);
  return [...new Set(locations.flatMap((location) => usedItems(uris.toPortable(location))))];
}
