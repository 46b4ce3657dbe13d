import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RunOptions, RunStatus } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Caller, CreateRunRequest, EngineRuns } from "../port/engine.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { presentStatus } from "../present/present-run.ts";
import { containerWishes } from "../container/container-wishes.ts";
import { beginRun, refuseWhereFull } from "../runs/begin/begin-run.ts";
import type { BeginOptions } from "../runs/begin/begin-run.ts";
import { pauseRun, resumeRun } from "../runs/drive/pause-run.ts";
import type { PauseServices } from "../runs/drive/pause-run.ts";
import { planRun } from "../runs/plan/plan-run.ts";
import type { PlanRunServices } from "../runs/plan/plan-run.ts";
import { reproduceRun } from "../runs/retry/reproduce-run.ts";
import type { ReproduceServices } from "../runs/retry/reproduce-run.ts";
import { recordOf } from "../runs/begin/dataset-inputs.ts";
import { resolveBody, resolveRequest } from "../runs/begin/resolve-request.ts";
import type { RequestContext, ResolvedRequest } from "../runs/begin/resolve-request.ts";
import { refuseOpen, resolveRetry, retryOptions } from "../runs/retry/retry-run.ts";
import { refuseUnmetContainers } from "../jobs/job-container.ts";
import type { RunNameTemplates } from "../runs/begin/run-name-template.ts";
import type { RunIds } from "../runs/begin/run-ids.ts";
import { retryName } from "../runs/begin/run-name.ts";
import type { RunRow } from "../journal/rows.ts";
import { wesDigestOf } from "../wes-documents/wes-documents.ts";
import type { WesDocuments } from "../wes-documents/wes-documents.ts";
import type { TestServiceOptions } from "./test-service.ts";
import { describeRun, describeRuns } from "./describe-runs.ts";
import { createRunQueries } from "./run-queries.ts";
import type { DraftRuns } from "./draft-service.ts";
import type { QueryContext } from "./run-queries.ts";
import type { RunRegistry } from "../runs/drive/run-registry.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { requireChangeableRun, requireVisibleRun } from "../access/visible-runs.ts";

/** The services behind the methods for runs. */
export type RunActionServices = ReproduceServices &
  PauseServices &
  PlanRunServices &
  Pick<RunServices, "executor" | "runsFolder" | "access">;

export interface RunServiceOptions {
  readonly services: RunActionServices;
  readonly registry: RunRegistry;
  readonly request: RequestContext;
  readonly ids: RunIds;
  readonly isDraining: () => boolean;
  readonly thread: QueryContext["thread"];
  readonly jobTable: QueryContext["jobTable"];
  readonly wesDocuments: WesDocuments;
  /** Maximum number of open runs; undefined: unlimited. */
  readonly maxOpenRuns?: number | undefined;
  readonly runNames?: RunNameTemplates | undefined;
}

/** The methods for runs, and those that start runs of drafts for the methods of drafts. */
export function createRunService(options: RunServiceOptions): {
  readonly runs: EngineRuns;
  readonly drafts: DraftRuns;
  readonly beginTest: BeginTest;
} {
  const { services, request } = options;
  const { journal, scheduler, runsFolder, access } = services;
  const queries = createRunQueries(journal, {
    whyWaiting: (runId, jobId) =>
      scheduler.whyWaiting(runId, jobId) ?? services.executor.whyWaiting?.({ runId, jobId }),
    catalog: request.catalog,
    runsFolder,
    access,
    uris: services.uris,
    limits: services.limits,
    thread: options.thread,
    jobTable: options.jobTable,
  });
  const starter = createRunStarter(options, queries);
  const runs: EngineRuns = {
    ...queries,
    ...starter.runs,
    ...createRunControl(options),
    describe: async (caller, runId, body) => {
      await describeRun(caller, { runId, change: body }, journal);
      return queries.get(caller, runId);
    },
    describeAll: (caller, body) => describeRuns(caller, body, journal),
  };
  return { runs, drafts: starter.drafts, beginTest: starter.beginTest };
}

type BeginTest = TestServiceOptions["begin"];

type RunQueries = ReturnType<typeof createRunQueries>;

type StartsRuns = Pick<EngineRuns, "create" | "plan" | "retry" | "planRetry" | "reproduce">;

/** Starts runs and plans them. */
function createRunStarter(
  options: RunServiceOptions,
  queries: RunQueries,
): { readonly runs: StartsRuns; readonly drafts: DraftRuns; readonly beginTest: BeginTest } {
  const { services, registry, ids, request: context } = options;
  const { journal } = services;
  const beginning = { ...options, present: queries.get };
  const plan = async (caller: Caller, request: ResolvedRequest, { cache = "use" }: RunOptions = {}) => {
    await refuseUnmetContainers(containerWishes(request.entry.process), services);
    return planRun(caller, { request, cache, catalog: context.catalog }, services);
  };
  const drafts = createDraftRuns({ beginning, context, plan });
  const runs: StartsRuns = {
    create: (caller, { body, idempotencyKey, fingerprint = body, wes, document, automation, dataset }) => {
      const resolve = () => resolveNew(caller, { body, document, dataset }, options);
      return beginRun(caller, { ...body, wes, automation, idempotencyKey, fingerprint, resolve }, beginning);
    },
    plan: async (caller, body) => plan(caller, await resolveRequest(caller, body, context), body.options),
    retry: async (caller, runId, { body, idempotencyKey }) => {
      const row = requireRepeatableRun(caller, runId, options);
      refuseOpen(row);
      const { name = retryName(row.name), tags = row.tags } = body;
      const retryOf = { runId, pinned: journal.read.pinnedFiles(runId) };
      const fingerprint = { retry_of: runId, body };
      const again = { name, tags, options: retryOptions(row, body), retryOf, idempotencyKey, fingerprint };
      return beginRun(caller, { ...again, resolve: () => resolveRetry(caller, { row, body }, options) }, beginning);
    },
    planRetry: async (caller, runId, body) => {
      const row = requireRepeatableRun(caller, runId, options);
      refuseOpen(row);
      return plan(caller, await resolveRetry(caller, { row, body }, options), retryOptions(row, body));
    },
    reproduce: async (caller, runId, request) => {
      refuseWhereFull(options);
      const original = requireRepeatableRun(caller, runId, options);
      return queries.get(caller, await reproduceRun(caller, original, { request, services, registry, ids }));
    },
  };
  return { runs, drafts, beginTest: createTestStarter({ beginning, context }) };
}

/** Starts runs that are tests. */
function createTestStarter({ beginning, context }: Pick<DraftStarter, "beginning" | "context">): BeginTest {
  return (caller, body, test) => {
    const resolve = () => resolveRequest(caller, body, context);
    return beginRun(caller, { ...body, test, idempotencyKey: undefined, fingerprint: body, resolve }, beginning);
  };
}

interface DraftStarter {
  readonly beginning: BeginOptions;
  readonly context: RequestContext;
  readonly plan: (caller: Caller, request: ResolvedRequest, options?: RunOptions) => ReturnType<typeof planRun>;
}

/** Starts and plans runs of documents that are not in the catalog. */
function createDraftRuns({ beginning, context, plan }: DraftStarter): DraftRuns {
  return {
    create: (caller, { open, draft, test }, { body, idempotencyKey }) => {
      const resolve = async () => resolveBody(caller, { entry: await open(), body }, context);
      const fingerprint = { draft, body };
      return beginRun(caller, { ...body, draft, test, idempotencyKey, fingerprint, resolve }, beginning);
    },
    plan: async (caller, entry, body) =>
      plan(caller, await resolveBody(caller, { entry, body }, context), body.options),
  };
}

async function resolveNew(
  caller: Caller,
  { body, document, dataset }: Pick<CreateRunRequest, "body" | "document" | "dataset">,
  { request, wesDocuments }: RunServiceOptions,
): Promise<ResolvedRequest> {
  if (document === undefined) {
    const resolved = await resolveRequest(caller, body, request);
    return dataset === undefined ? resolved : { ...resolved, dataset: recordOf(dataset) };
  }
  return resolveBody(caller, { entry: await wesDocuments.entry(caller, document), body }, request);
}

/** A run of a WES document is repeated only by those who may run the document. */
function requireRepeatableRun(caller: Caller, runId: string, { services, wesDocuments }: RunServiceOptions): RunRow {
  const row = requireVisibleRun(services.journal.read, runId, caller);
  const digest = wesDigestOf(row.documentUri);
  if (digest !== undefined) wesDocuments.requireRunnable(caller, digest);
  return row;
}

/** Watches, pauses, resumes and aborts runs. */
function createRunControl(
  options: RunServiceOptions,
): Pick<EngineRuns, "waitForChange" | "pause" | "resume" | "abort"> {
  const { services, isDraining } = options;
  return {
    waitForChange: (caller, runId, wait) => waitForChange(caller, { runId, ...wait }, options),
    pause: async (caller, runId) => {
      // A drain would wait forever for a paused run.
      if (isDraining()) throw new Refusal("draining", "The server is shutting down, so runs cannot be paused.");
      return pauseRun({ runId, caller }, services);
    },
    resume: (caller, runId) => resumeRun({ runId, caller }, services),
    abort: (caller, runId, timeoutMs) => abortRun(caller, { runId, timeoutMs }, options),
  };
}

interface Wait {
  readonly runId: string;
  readonly revision: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function waitForChange(caller: Caller, wait: Wait, { services }: RunServiceOptions): Promise<void> {
  const { journal } = services;
  const changed = () => requireVisibleRun(journal.read, wait.runId, caller).revision !== wait.revision;
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

/** Idempotent: callers may abort twice, while the run starts, while it collects, or after its end. */
async function abortRun(
  caller: Caller,
  { runId, timeoutMs }: { readonly runId: string; readonly timeoutMs: number },
  options: RunServiceOptions,
): Promise<RunStatus> {
  const { services, registry } = options;
  const { read } = services.journal;
  if (!isFinal(requireChangeableRun(read, runId, caller).state)) {
    const event: NewEvent = {
      type: "run.canceling",
      run_id: runId,
      actor: caller.principal,
      data: { outstanding_jobs: read.openJobIds(runId, 1000) },
    };
    const [accepted] = await services.journal.append([event]);
    const actor = registry.get(runId);
    if (accepted !== null) actor?.abort();
    if (actor === undefined) await untilFinal(caller, { runId, timeoutMs }, options);
    else await Promise.race([actor.ended, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
  }
  return presentStatus(requireVisibleRun(read, runId, caller), services.journal.nowMs());
}

/** For a run that this server has yet to resume; when it does, it finds the abort. */
async function untilFinal(
  caller: Caller,
  { runId, timeoutMs }: Pick<Wait, "runId" | "timeoutMs">,
  options: RunServiceOptions,
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  for (;;) {
    const { state, revision } = requireVisibleRun(options.services.journal.read, runId, caller);
    if (isFinal(state) || signal.aborted) return;
    await waitForChange(caller, { runId, revision, timeoutMs, signal }, options);
  }
}
