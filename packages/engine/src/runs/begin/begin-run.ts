import { giveWay } from "../../async/give-way.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun, DraftOfRun, Run } from "@weft/shared/records/run-record.ts";
import type { WesRequest } from "@weft/shared/records/wes-record.ts";
import { canonicalText } from "../../values/canonical-text.ts";
import { containerWishes } from "../../container/container-wishes.ts";
import type { Caller } from "../../port/engine.ts";
import { textDigest } from "../../files/hash-file.ts";
import { recordValues } from "../../values/record-values.ts";
import type { PinnedFile } from "@weft/shared/events/run-events.ts";
import { KEY_LIFE_MS } from "../../journal/project-event.ts";
import type { ResolvedRequest } from "./resolve-request.ts";
import { refuseUnmetContainers } from "../../jobs/job-container.ts";
import type { RunIds } from "./run-ids.ts";
import { runName, templatedRunName } from "./run-name.ts";
import type { RunNameTemplates } from "./run-name-template.ts";
import type { RunRegistry } from "../drive/run-registry.ts";
import type { ContainerServices } from "../../jobs/job-services.ts";
import type { RunLog } from "../../journal/run-log.ts";
import { keptText } from "./kept-text.ts";
import { prunedInput, startRun } from "./start-run.ts";
import type { NewRun, StartServices } from "./start-run.ts";

export interface BeginServices extends StartServices, ContainerServices {}

export interface BeginOptions {
  readonly services: BeginServices;
  readonly registry: RunRegistry;
  readonly ids: RunIds;
  readonly isDraining: () => boolean;
  /** Maximum number of open runs; undefined: unlimited. */
  readonly maxOpenRuns?: number | undefined;
  /** Templates of names by process; absent: the usual names. */
  readonly runNames?: RunNameTemplates | undefined;
  /** The record of an existing run. */
  readonly present: (caller: Caller, runId: string) => Run;
}

/** A requested run. */
export interface RequestedRun extends Pick<CreateRun, "name" | "tags" | "options"> {
  /** Checks the whole request; refuses what cannot run. Not called if the idempotency key already has a run. */
  readonly resolve: () => Promise<ResolvedRequest>;
  readonly idempotencyKey: string | undefined;
  /** What equal requests have in common. */
  readonly fingerprint: unknown;
  /** The run that this one repeats, and the remote files that it read. */
  readonly retryOf?: { readonly runId: string; readonly pinned: readonly PinnedFile[] } | undefined;
  readonly wes?: WesRequest | undefined;
  /** The draft that runs, unless it is a published version. */
  readonly draft?: DraftOfRun | undefined;
  readonly test?: NewRun["test"];
  /** What the log accepts once for an automation. */
  readonly automation?: NewRun["automation"];
}

/** Records and starts a run. An idempotency key that was used with this request returns its run. Durable when it resolves. */
export async function beginRun(
  caller: Caller,
  asked: RequestedRun,
  options: BeginOptions,
): Promise<{ readonly run: Run; readonly replayed: boolean }> {
  const key = keyOf(asked);
  const earlier = replay(caller, key, options);
  if (earlier !== undefined) return earlier;
  refuseWhereFull(options);
  const request = await asked.resolve();
  const warnings = await refuseUnmetContainers(containerWishes(request.entry.process), options.services);
  await giveWay();
  const runId = options.ids.next();
  const actor = await startRun(newRun(caller, { runId, asked, request, key }, options), options);
  if (actor === undefined) {
    const winner = replay(caller, key, options);
    if (winner !== undefined) return winner;
    if (asked.automation !== undefined)
      throw new Refusal("conflict", "The automation has started this already, or is no longer active.");
    throw prunedInputs(request, options.services) ?? new Error("the log refused a new run");
  }
  for (const warning of warnings) options.services.log("warn", warning, { run_id: runId });
  await giveWay();
  return { run: options.present(caller, runId), replayed: false };
}

/** `digest` is computed on demand, because a large body takes a while. */
type Key = { readonly key: string; readonly digest: () => string } | undefined;

function keyOf({ idempotencyKey, fingerprint }: RequestedRun): Key {
  if (idempotencyKey === undefined) return undefined;
  let digest: string | undefined;
  return { key: idempotencyKey, digest: () => (digest ??= textDigest(canonicalText(fingerprint))) };
}

function replay({ principal, ...caller }: Caller, key: Key, { services, present }: BeginOptions) {
  if (key === undefined) return undefined;
  const known = services.journal.read.runByKey(principal, key.key, services.journal.nowMs() - KEY_LIFE_MS);
  if (known === undefined) return undefined;
  if (known.bodyDigest !== key.digest())
    throw new Refusal(
      "idempotency-key-reused",
      "This Idempotency-Key was used with a different body. Use a new key for a new request.",
    );
  return { run: present({ principal, ...caller }, known.runId), replayed: true };
}

/** Refuses new runs while the server stops, and when it has the most open runs allowed. */
export function refuseWhereFull({
  isDraining,
  registry,
  maxOpenRuns,
}: Pick<BeginOptions, "isDraining" | "registry" | "maxOpenRuns">): void {
  if (isDraining())
    throw new Refusal("draining", "The server is shutting down and accepts no new runs.", {
      headers: { "Retry-After": "30" },
    });
  if (registry.openIds.length >= (maxOpenRuns ?? Number.POSITIVE_INFINITY))
    throw new Refusal("queue-full", `The server already has ${maxOpenRuns} open runs; wait until one of them ends.`, {
      headers: { "Retry-After": "60" },
    });
}

interface AcceptedRun {
  readonly runId: string;
  readonly asked: RequestedRun;
  readonly request: ResolvedRequest;
  readonly key: Key;
}

function newRun(caller: Caller, { runId, asked, request, key }: AcceptedRun, begin: BeginOptions): NewRun {
  const { uris, journal } = begin.services;
  const { entry, values, bind, samples, sinks, secrets, dataset } = request;
  const { tags = {}, options = {}, retryOf, wes, draft, test, automation } = asked;
  const named = { isDraft: draft !== undefined, nowMs: journal.nowMs(), owner: caller.principal };
  const { name = nameOf(request, named, begin.runNames) } = asked;
  return {
    runId,
    actor: caller.principal,
    name,
    tags,
    options,
    process: entry.process,
    formats: entry.formats,
    place: entry.place,
    processDigest: entry.digest,
    document: keptText(entry.packed),
    documentUri: entry.uri,
    inputs: recordValues(values, uris).blob,
    values,
    bind,
    samples,
    sinks,
    secrets,
    idempotency: key && { key: key.key, body_digest: key.digest() },
    retryOf: retryOf?.runId,
    pinned: retryOf?.pinned ?? [],
    wes,
    draft,
    test,
    dataset,
    automation,
  };
}

function nameOf(
  request: ResolvedRequest,
  { isDraft, nowMs, owner }: { readonly isDraft: boolean; readonly nowMs: number; readonly owner: string },
  templates: RunNameTemplates = {},
): string {
  const template = templates[request.entry.place.id] ?? templates[""];
  const name = template === undefined ? runName(request, nowMs) : templatedRunName(request, { template, nowMs, owner });
  return isDraft ? `Draft of ${name}` : name;
}

/** The refusal if the removal of an input began after the request was checked. */
function prunedInputs({ values }: ResolvedRequest, log: RunLog): Refusal | undefined {
  const pruned = prunedInput(values, log);
  if (pruned === undefined) return undefined;
  return new Refusal("invalid-inputs", `An input is in ${pruned}, which is being removed.`);
}
