import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun, RunStatus } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Caller, CreateRunRequest, EngineRuns } from "../engine.ts";
import { textDigest } from "../files/hash-file.ts";
import { recordValues } from "../job/record-values.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { KEY_LIFE_MS } from "../journal/project-event.ts";
import type { RunRow } from "../journal/rows.ts";
import { presentStatus, readRun } from "../present/present-run.ts";
import { containerWishes } from "../container/container-wishes.ts";
import { WITHOUT_CONTAINER } from "../container/containers.ts";
import { createRunQueries } from "./run-queries.ts";
import { listSteps } from "./list-steps.ts";
import { planRun } from "./plan-run.ts";
import { recordInputsBeside } from "./record-inputs.ts";
import { resolveRequest } from "./resolve-request.ts";
import type { RequestContext, ResolvedRequest } from "./resolve-request.ts";
import type { RunIds } from "./run-ids.ts";
import type { RunRegistry } from "./run-registry.ts";
import type { RunServices } from "./run-services.ts";

export interface RunServiceOptions {
  readonly services: RunServices;
  readonly registry: RunRegistry;
  readonly request: RequestContext;
  readonly ids: RunIds;
  readonly isDraining: () => boolean;
  /** Runs that have not ended, at most; undefined: any number. */
  readonly maxOpenRuns?: number | undefined;
}

export function createRunService(options: RunServiceOptions): EngineRuns {
  const { services } = options;
  const queries = queriesOf(services);
  return {
    ...queries,
    create: (caller, request) => createRun(caller, request, options),
    plan: async (caller, body) => {
      const request = await resolveRequest(caller, body, options.request);
      await reviewContainers(request, services);
      return planRun(caller, request, services);
    },
    waitForChange: (runId, revision, timeoutMs, signal) =>
      waitForChange(options, { runId, revision, timeoutMs, signal }),
    abort: (caller, runId, timeoutMs) => abortRun(caller, { runId, timeoutMs }, options),
  };
}

function queriesOf({ journal, scheduler }: RunServices) {
  return createRunQueries(journal, (runId, jobId) => scheduler.whyWaiting(runId, jobId));
}

async function createRun(
  caller: Caller,
  { body, idempotencyKey, fingerprint = body }: CreateRunRequest,
  options: RunServiceOptions,
) {
  const { read, nowMs } = options.services.journal;
  const queries = queriesOf(options.services);
  const bodyDigest = textDigest(canonicalText(fingerprint));
  const key = idempotencyKey === undefined ? undefined : { key: idempotencyKey, body_digest: bodyDigest };
  const replay = () => {
    const known = key === undefined ? undefined : read.runByKey(caller.principal, key.key, nowMs() - KEY_LIFE_MS);
    if (known === undefined) return undefined;
    if (known.bodyDigest !== bodyDigest)
      throw new Refusal("idempotency-key-reused", "This Idempotency-Key was used with another body.");
    return { run: queries.get(caller, known.runId), replayed: true };
  };
  const earlier = replay();
  if (earlier !== undefined) return earlier;
  if (options.isDraining())
    throw new Refusal("draining", "The server is shutting down and takes no new runs.", {
      headers: { "Retry-After": "30" },
    });
  if (options.registry.openIds.length >= (options.maxOpenRuns ?? Number.POSITIVE_INFINITY))
    throw new Refusal("queue-full", `${options.maxOpenRuns} runs are open already; wait for some of them to end.`, {
      headers: { "Retry-After": "60" },
    });
  const request = await resolveRequest(caller, body, options.request);
  const warnings = await reviewContainers(request, options.services);
  const runId = options.ids.next();
  const [created] = await options.services.journal.append([
    createdEvent(caller, { runId, body, request, key }, options.services),
  ]);
  if (created === null) {
    const winner = replay();
    if (winner !== undefined) return winner;
    throw new Error("a new run was refused by the journal");
  }
  for (const warning of warnings) options.services.log("warn", warning, { run_id: runId });
  const run = queries.get(caller, runId);
  startRun(runId, request, body, options);
  return { run, replayed: false };
}

/** Refuses a run whose tools require a container where there is none; answers what is to be told of the others. */
async function reviewContainers({ entry }: ResolvedRequest, { containers }: RunServices): Promise<readonly string[]> {
  const { refusal, warnings } = await containers.review(containerWishes(entry.process));
  if (refusal === undefined) return warnings;
  throw new Refusal("unsupported-feature", `${refusal}.`, {
    errors: [{ code: "no-container-engine", detail: refusal, hint: WITHOUT_CONTAINER }],
  });
}

function startRun(
  runId: string,
  request: ResolvedRequest,
  body: CreateRun,
  { registry, services }: RunServiceOptions,
): void {
  registry.start({
    runId,
    process: request.entry.process,
    formats: request.entry.formats,
    values: request.values,
    bind: async (files) => {
      const bound = await request.bind(files);
      recordInputsBeside({ runId, bound, files }, services);
      return bound;
    },
    options: body.options ?? {},
    samples: request.samples,
    recorded: () => undefined,
  });
}

interface NewRun {
  readonly runId: string;
  readonly body: CreateRun;
  readonly request: ResolvedRequest;
  readonly key: { readonly key: string; readonly body_digest: string } | undefined;
}

function createdEvent(caller: Caller, { runId, body, request, key }: NewRun, services: RunServices): NewEvent {
  const { entry, values, samples } = request;
  const document = { digest: textDigest(entry.packed), text: entry.packed };
  const inputs = recordValues(values, services.uris).blob;
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
      name: body.name ?? label ?? id,
      tags: body.tags ?? {},
      options: body.options ?? {},
      document: document.digest,
      document_uri: services.uris.toPortable(entry.uri),
      inputs: inputs.digest,
      samples,
      steps: listSteps(entry.process),
      ...(key === undefined ? {} : { idempotency: key }),
    },
    blobs: [document, inputs],
  };
}

/** JSON with sorted keys: equal requests have equal digests however they were written. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

interface Wait {
  readonly runId: string;
  readonly revision: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function waitForChange({ services }: RunServiceOptions, wait: Wait): Promise<void> {
  const { journal } = services;
  const changed = () => requireRun(services, wait.runId).revision !== wait.revision;
  if (changed()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = journal.subscribe((events) => {
    if (events.some((event) => event.run_id === wait.runId) && changed()) resolve();
  });
  const timer = setTimeout(resolve, wait.timeoutMs);
  wait.signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
  stop();
}

/** Idempotent: aborting twice, while starting, while collecting or after the end is all right. */
async function abortRun(
  caller: Caller,
  { runId, timeoutMs }: { readonly runId: string; readonly timeoutMs: number },
  options: RunServiceOptions,
): Promise<RunStatus> {
  const { services, registry } = options;
  const { read } = services.journal;
  if (!isFinal(requireRun(services, runId).state)) {
    const event: NewEvent = {
      type: "run.canceling",
      run_id: runId,
      actor: caller.principal,
      data: { outstanding_jobs: read.openJobIds(runId, 1000) },
    };
    const [accepted] = await services.journal.append([event]);
    const driver = registry.get(runId);
    if (accepted !== null) driver?.abort();
    if (driver !== undefined)
      await Promise.race([driver.ended, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
  }
  return presentStatus(readRun(read, requireRun(services, runId)), services.journal.nowMs());
}

function requireRun(services: RunServices, runId: string): RunRow {
  const row = services.journal.read.run(runId);
  if (row === undefined) throw new Refusal("run-not-found", `There is no run ${runId}.`);
  return row;
}
