import { arch, platform } from "node:process";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { EventData } from "@weft/shared/events/event.ts";
import type { PinnedFile } from "@weft/shared/events/run-events.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import { giveWay } from "../../async/give-way.ts";
import { textDigest } from "../../files/hash-file.ts";
import { usedItems } from "../../files/used-items.ts";
import type { NewEvent } from "../../journal/journal-event.ts";
import { KEY_LIFE_MS } from "../../journal/append-events.ts";
import type { RunLog } from "../../journal/run-log.ts";
import { canonicalText } from "../../values/canonical-text.ts";
import { filesOf } from "../../values/map-files.ts";
import { keptText, recordValues, type KeptText } from "../../values/record-values.ts";
import { listSteps } from "../drive/run-progress.ts";
import type { RunActor } from "../drive/run-actor.ts";
import type { RunRegistry } from "../drive/run-registry.ts";
import type { StartedRun } from "./record-inputs.ts";
import type { RunnableRequest } from "./resolve-request.ts";
import { runName, templatedRunName, type RunNameTemplates } from "./run-name.ts";
import type { RunServices } from "../drive/run-services.ts";

type Created = EventData<"run.created">;

/** A run to start: its document with inputs, and why it starts. */
export interface RunRequest {
  readonly owner: string;
  /** Finds the document and checks the inputs; refuses what cannot run. Not called if the idempotency key already has a run. */
  readonly resolve: () => Promise<RunnableRequest>;
  /** The run name. Default: derived from the document and the inputs. */
  readonly name?: string | undefined;
  readonly tags?: Created["tags"] | undefined;
  readonly options?: RunOptions | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Fingerprint that requests with one key share. */
  readonly fingerprint?: unknown;
  /** The origin of the run for the log, such as a retry, a reproduction or a draft. */
  readonly cause?: Pick<Created, "retry_of" | "reproduces" | "wes" | "draft" | "automation">;
  /** The remote files that the repeated run read. */
  readonly pinned?: readonly PinnedFile[];
  /** The test that the run carries out, with its text. */
  readonly test?: TestOfRun | undefined;
}

export interface TestOfRun {
  readonly name: string;
  readonly text: KeptText;
  readonly uri: string;
}

/** The function that starts runs. */
export interface RunStarter {
  readonly services: RunServices;
  readonly registry: RunRegistry;
  readonly nextId: () => string;
  readonly isDraining?: () => boolean;
  /** Maximum number of open runs; undefined: unlimited. */
  readonly maxOpenRuns?: number | undefined;
  /** Templates of names by process; absent: the usual names. */
  readonly runNames?: RunNameTemplates | undefined;
  /** Called with the bound inputs before the first job. */
  readonly onBound: (run: StartedRun) => void;
}

/**
 * Records and starts a run; every run begins here. Resolves when the record is durable. `actor` is undefined if an earlier
 * request with the same idempotency key started the run.
 */
export async function startRun(
  request: RunRequest,
  starter: RunStarter,
): Promise<{ readonly runId: string; readonly actor: RunActor | undefined }> {
  const { services } = starter;
  if (starter.isDraining?.() === true)
    throw new Refusal("draining", "The server is shutting down and accepts no new runs");
  const key = keyOf(request);
  const earlier = itemWithKey(request.owner, key, services);
  if (earlier !== undefined) return { runId: earlier, actor: undefined };
  refuseWhereFull(starter);
  const resolved = await request.resolve();
  await giveWay();
  const runId = starter.nextId();
  if (!(await isRecorded({ runId, request, resolved, key }, starter))) {
    const winner = itemWithKey(request.owner, key, services);
    if (winner !== undefined) return { runId: winner, actor: undefined };
    throw refusedByLog(request, resolved, services);
  }
  const actor = startActor({ runId, request, resolved, key }, starter);
  for (const warning of resolved.warnings ?? []) services.log("warn", warning, { run_id: runId });
  await giveWay();
  return { runId, actor };
}

/** `digest` is computed on demand, because a large body takes a while. */
type Key = { readonly key: string; readonly digest: () => string } | undefined;

export function keyOf({ idempotencyKey, fingerprint }: Pick<RunRequest, "idempotencyKey" | "fingerprint">): Key {
  if (idempotencyKey === undefined) return undefined;
  let digest: string | undefined;
  return { key: idempotencyKey, digest: () => (digest ??= textDigest(canonicalText(fingerprint))) };
}

/** The ID of the run or automation that the key has begun. */
export function itemWithKey(owner: string, key: Key, { journal }: Pick<RunLog, "journal">): string | undefined {
  if (key === undefined) return undefined;
  const known = journal.read.runByKey(owner, key.key, journal.nowMs() - KEY_LIFE_MS);
  if (known === undefined || known.bodyDigest === key.digest()) return known?.runId;
  throw new Refusal(
    "idempotency-key-reused",
    "This Idempotency-Key was used with a different body. Use a new key for a new request.",
  );
}

function refuseWhereFull({ registry, maxOpenRuns = Number.POSITIVE_INFINITY }: RunStarter): void {
  if (registry.openIds.length < maxOpenRuns) return;
  throw new Refusal("queue-full", `The server already has ${maxOpenRuns} open runs; wait until one of them ends.`, {
    headers: { "Retry-After": "60" },
  });
}

interface NewRun {
  readonly runId: string;
  readonly request: RunRequest;
  readonly resolved: RunnableRequest;
  readonly key: Key;
}

/** Forgets the secrets of a run that does not start, also if the disk is the reason. */
async function isRecorded(run: NewRun, starter: RunStarter): Promise<boolean> {
  const { journal, secrets } = starter.services;
  secrets.keep(run.runId, run.resolved.secrets);
  let isBegun = false;
  try {
    const [recorded] = await journal.append([createRunEvent(run, starter), ...pinnedEvents(run)]);
    isBegun = recorded !== null;
  } finally {
    if (!isBegun) secrets.forget(run.runId);
  }
  return isBegun;
}

function createRunEvent({ runId, request, resolved, key }: NewRun, starter: RunStarter): NewEvent {
  const { uris, version } = starter.services;
  const { entry, values, samples, sinks, dataset, inputs = recordValues(values, uris).blob } = resolved;
  const { process, place } = entry;
  const { name = nameOf(request, resolved, starter), tags = {}, options = {}, test } = request;
  const document = keptText(entry.packed);
  const uses = usedBy(values, { uris });
  return {
    type: "run.created",
    run_id: runId,
    actor: request.owner,
    data: {
      kind: place.kind,
      process_id: place.id,
      process_version: place.version,
      process_digest: entry.digest,
      ...(process.label === undefined ? {} : { process_label: process.label }),
      ...{ name, tags, options },
      document: document.digest,
      document_uri: uris.toPortable(entry.uri),
      inputs: inputs.digest,
      samples,
      ...(Object.keys(sinks).length === 0 ? {} : { sinks }),
      ...(uses.length === 0 ? {} : { uses }),
      steps: listSteps(process),
      engine_version: version,
      engine_platform: `${platform}-${arch}`,
      ...(key === undefined ? {} : { idempotency: { key: key.key, body_digest: key.digest() } }),
      ...request.cause,
      ...(test === undefined ? {} : { test: { ...test, text: test.text.digest } }),
      ...(dataset === undefined ? {} : { dataset: { ...dataset, result: dataset.result.digest } }),
    },
    blobs: [document, inputs, test?.text, dataset?.result].flatMap((kept) =>
      kept?.text === undefined ? [] : [{ digest: kept.digest, text: kept.text }],
    ),
  };
}

function nameOf({ owner, cause }: RunRequest, resolved: RunnableRequest, { services, runNames = {} }: RunStarter) {
  const nowMs = services.journal.nowMs();
  const template = runNames[resolved.entry.place.id] ?? runNames[""];
  const name =
    template === undefined ? runName(resolved, nowMs) : templatedRunName(resolved, { template, nowMs, owner });
  return cause?.draft === undefined ? name : `Draft of ${name}`;
}

/** A retried run reads the remote files that the earlier run downloaded, also after a restart. */
function pinnedEvents({ runId, request: { pinned = [] } }: NewRun): readonly NewEvent[] {
  if (pinned.length === 0) return [];
  return [{ type: "run.fetched", run_id: runId, actor: "engine", data: { files: pinned } }];
}

function startActor({ runId, request, resolved }: NewRun, { registry, onBound }: RunStarter): RunActor {
  const { entry, values, bind, samples, sinks, more } = resolved;
  const { options = {}, pinned = [] } = request;
  const { process, formats, place } = entry;
  return registry.start({
    ...{ runId, process, formats, values, samples, sinks, options, pinned, ...more },
    place: { kind: place.kind, processId: place.id },
    bind: async (files) => {
      const bound = await bind(files);
      onBound({ runId, bound, files });
      return bound;
    },
    recorded: () => undefined,
  });
}

/** An automation has started the run already, or the removal of an input began after the request was checked. */
function refusedByLog({ cause }: RunRequest, { values }: RunnableRequest, { journal, uris }: RunLog): Error {
  if (cause?.automation !== undefined)
    return new Refusal("conflict", "The automation has started this already, or is no longer active.");
  const pruned = usedBy(values, { uris }).find((item) => journal.read.pruned(item) !== undefined);
  if (pruned === undefined) return new Error("the log refused a new run");
  if (cause?.reproduces === undefined)
    return new Refusal("invalid-inputs", `An input is in ${pruned}, which is being removed.`);
  return new Refusal("conflict", `An input of the run is in ${pruned}, which is being removed or has been removed.`);
}

/** The parts of other runs, and the uploads, that contain the inputs. */
function usedBy(values: CwlObject, { uris }: Pick<RunLog, "uris">): readonly string[] {
  const locations = filesOf(values).flatMap(({ file }) => file.location ?? []);
  return [...new Set(locations.flatMap((location) => usedItems(uris.toPortable(location))))];
}
