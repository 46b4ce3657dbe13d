import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { canonicalText } from "../canonical-text.ts";
import { containerWishes } from "../container/container-wishes.ts";
import type { Caller } from "../engine.ts";
import { textDigest } from "../files/hash-file.ts";
import { filesOf } from "../files/map-files.ts";
import { usedItems } from "../files/used-items.ts";
import { recordValues } from "../job/record-values.ts";
import type { NewEvent, PinnedFile } from "../journal/journal-event.ts";
import { KEY_LIFE_MS } from "../journal/project-event.ts";
import { listSteps } from "./list-steps.ts";
import { recordInputsBeside } from "./record-inputs.ts";
import type { ResolvedRequest } from "./resolve-request.ts";
import { refuseUnmetContainers } from "./review-containers.ts";
import type { RunIds } from "./run-ids.ts";
import type { RunRegistry } from "./run-registry.ts";
import type { RunServices } from "./run-services.ts";

export interface BeginOptions {
  readonly services: RunServices;
  readonly registry: RunRegistry;
  readonly ids: RunIds;
  readonly isDraining: () => boolean;
  /** Runs that have not ended, at most; undefined: any number. */
  readonly maxOpenRuns?: number | undefined;
  /** The record of a run that is there. */
  readonly present: (caller: Caller, runId: string) => Run;
}

/** A run that somebody asks for. */
export interface AskedRun extends Pick<CreateRun, "name" | "tags" | "options"> {
  /** Checks the request as a whole; refuses what cannot run. Not called where an idempotency key has its run already. */
  readonly resolve: () => Promise<ResolvedRequest>;
  readonly idempotencyKey: string | undefined;
  /** What equal requests have in common. */
  readonly fingerprint: unknown;
  /** The run that this one is once more, and the files from elsewhere that it was given. */
  readonly retryOf?: { readonly runId: string; readonly pinned: readonly PinnedFile[] } | undefined;
}

/** Records a run and starts it; the same key with the same request gives the run that exists. Durable when it resolves. */
export async function beginRun(
  caller: Caller,
  asked: AskedRun,
  options: BeginOptions,
): Promise<{ readonly run: Run; readonly replayed: boolean }> {
  const key = keyOf(asked);
  const earlier = replay(caller, key, options);
  if (earlier !== undefined) return earlier;
  refuseWhereFull(options);
  const request = await asked.resolve();
  const warnings = await refuseUnmetContainers(containerWishes(request.entry.process), options.services);
  const runId = options.ids.next();
  options.services.secrets.keep(runId, request.secrets);
  const created = createdEvent(caller, { runId, asked, request, key }, options.services);
  if (!(await isRecorded(runId, [created, ...pinnedEvents(runId, asked)], options.services))) {
    const winner = replay(caller, key, options);
    if (winner !== undefined) return winner;
    throw prunedInputs(request, options.services) ?? new Error("a new run was refused by the journal");
  }
  for (const warning of warnings) options.services.log("warn", warning, { run_id: runId });
  const run = options.present(caller, runId);
  startRun(runId, request, asked, options);
  return { run, replayed: false };
}

/** The secrets of a run that does not begin are kept no longer, also where the disk is the reason. */
async function isRecorded(
  runId: string,
  events: readonly NewEvent[],
  { journal, secrets }: RunServices,
): Promise<boolean> {
  let isBegun = false;
  try {
    const [recorded] = await journal.append(events);
    isBegun = recorded !== null;
  } finally {
    if (!isBegun) secrets.forget(runId);
  }
  return isBegun;
}

/** The digest of a large body takes a while: it is made where it is needed. */
type Key = { readonly key: string; readonly digest: () => string } | undefined;

function keyOf({ idempotencyKey, fingerprint }: AskedRun): Key {
  if (idempotencyKey === undefined) return undefined;
  let digest: string | undefined;
  return { key: idempotencyKey, digest: () => (digest ??= textDigest(canonicalText(fingerprint))) };
}

function replay({ principal, ...caller }: Caller, key: Key, { services, present }: BeginOptions) {
  if (key === undefined) return undefined;
  const known = services.journal.read.runByKey(principal, key.key, services.journal.nowMs() - KEY_LIFE_MS);
  if (known === undefined) return undefined;
  if (known.bodyDigest !== key.digest())
    throw new Refusal("idempotency-key-reused", "This Idempotency-Key was used with another body.");
  return { run: present({ principal, ...caller }, known.runId), replayed: true };
}

/** A server that stops, or has as many open runs as it may, takes no more. */
export function refuseWhereFull({
  isDraining,
  registry,
  maxOpenRuns,
}: Pick<BeginOptions, "isDraining" | "registry" | "maxOpenRuns">): void {
  if (isDraining())
    throw new Refusal("draining", "The server is shutting down and takes no new runs.", {
      headers: { "Retry-After": "30" },
    });
  if (registry.openIds.length >= (maxOpenRuns ?? Number.POSITIVE_INFINITY))
    throw new Refusal("queue-full", `${maxOpenRuns} runs are open already; wait for some of them to end.`, {
      headers: { "Retry-After": "60" },
    });
}

function startRun(
  runId: string,
  request: ResolvedRequest,
  asked: AskedRun,
  { registry, services }: BeginOptions,
): void {
  const { entry, values, samples, sinks } = request;
  registry.start({
    runId,
    process: entry.process,
    place: { kind: entry.place.kind, processId: entry.place.id },
    formats: entry.formats,
    values,
    bind: async (files) => {
      const bound = await request.bind(files);
      void recordInputsBeside({ runId, bound, files }, services);
      return bound;
    },
    options: asked.options ?? {},
    samples,
    sinks,
    pinned: asked.retryOf?.pinned ?? [],
    recorded: () => undefined,
  });
}

interface NewRun {
  readonly runId: string;
  readonly asked: AskedRun;
  readonly request: ResolvedRequest;
  readonly key: Key;
}

function createdEvent(caller: Caller, { runId, asked, request, key }: NewRun, services: RunServices): NewEvent {
  const { entry, values, samples, sinks } = request;
  const document = { digest: textDigest(entry.packed), text: entry.packed };
  const inputs = recordValues(values, services.uris).blob;
  const uses = usedBy(values, services);
  const { kind, id, version } = entry.place;
  const label = entry.process.label;
  return {
    type: "run.created",
    run_id: runId,
    actor: caller.principal,
    data: {
      kind,
      process_id: id,
      process_version: version,
      process_digest: entry.digest,
      ...(label === undefined ? {} : { process_label: label }),
      name: asked.name ?? label ?? id,
      tags: asked.tags ?? {},
      options: asked.options ?? {},
      document: document.digest,
      document_uri: services.uris.toPortable(entry.uri),
      inputs: inputs.digest,
      samples,
      ...(Object.keys(sinks).length === 0 ? {} : { sinks }),
      ...(uses.length === 0 ? {} : { uses }),
      steps: listSteps(entry.process),
      engine_version: services.version,
      ...(key === undefined ? {} : { idempotency: { key: key.key, body_digest: key.digest() } }),
      ...(asked.retryOf === undefined ? {} : { retry_of: asked.retryOf.runId }),
    },
    blobs: [document, inputs],
  };
}

/** What of other runs and of uploads the inputs of a run lie in. */
function usedBy(values: CwlObject, { uris }: Pick<RunServices, "uris">): readonly string[] {
  const locations = filesOf(values).flatMap(({ file }) => file.location ?? []);
  return [...new Set(locations.flatMap((location) => usedItems(uris.toPortable(location))))];
}

/** The inputs were there when they were looked for; somebody has begun to remove them since. */
function prunedInputs({ values }: ResolvedRequest, services: RunServices): Refusal | undefined {
  const { read } = services.journal;
  const pruned = usedBy(values, services).find((item) => read.pruned(item) !== undefined);
  if (pruned === undefined) return undefined;
  return new Refusal("invalid-inputs", `An input lies in ${pruned}, which is being removed from the disk.`);
}

/** What the run before was given stands for this one as well, after a restart too. */
function pinnedEvents(runId: string, { retryOf }: AskedRun): readonly NewEvent[] {
  if (retryOf === undefined || retryOf.pinned.length === 0) return [];
  return [{ type: "run.fetched", run_id: runId, actor: "engine", data: { files: retryOf.pinned } }];
}
