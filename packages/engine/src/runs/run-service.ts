import type { EventData } from "@weft/shared/events/event.ts";
import type { RunnableEntry } from "../catalog/catalog-entry.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { Run, RunOptions, RunStatus } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Caller } from "../port/caller.ts";
import type { CreateRunRequest, DraftRunBody, EngineRuns } from "../port/engine.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { presentStatus } from "../present/present-run.ts";
import { startRun, type RunRequest, type RunStarter } from "./begin/start-run.ts";
import { recordInputsInBackground, type StartedRun } from "./begin/record-inputs.ts";
import { pauseRun, resumeRun } from "./drive/pause-run.ts";
import { planRun } from "./plan/plan-run.ts";
import { recordOf } from "./begin/dataset-inputs.ts";
import { resolveBody, resolveRequest, type RequestContext, type ResolvedRequest } from "./begin/resolve-request.ts";
import { refuseOpen, resolveReproduction, resolveRetry, retryOptions } from "./retry/retry-run.ts";
import type { RunIds } from "./begin/run-ids.ts";
import { retryName } from "./begin/run-name.ts";
import type { RunRow } from "../journal/rows.ts";
import { wesDigestOf, type WesDocuments } from "../wes-documents/wes-documents.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import { describeMethods } from "./describe-runs.ts";
import { createRunQueries, runQueryMethods, type QueryContext } from "./run-queries.ts";
import { requireChangeableRun, requireVisibleRun } from "../access/visible-runs.ts";

export interface RunServiceOptions extends Pick<RunStarter, "registry" | "maxOpenRuns" | "runNames"> {
  readonly services: RequestContext;
  readonly ids: RunIds;
  readonly isDraining: () => boolean;
  readonly reads: QueryContext["reads"];
  readonly wesDocuments: WesDocuments;
}

/** Starts and plans runs of documents that are not in the catalog. */
export interface DocumentRuns {
  readonly resolve: (caller: Caller, entry: RunnableEntry, body: DraftRunBody) => Promise<ResolvedRequest>;
  readonly start: (
    caller: Caller,
    request: Omit<RunRequest, "owner">,
  ) => Promise<{ readonly run: Run; readonly replayed: boolean }>;
  readonly plan: (caller: Caller, request: ResolvedRequest, options?: RunOptions) => Promise<Plan>;
}

interface RunService {
  readonly runs: EngineRuns;
  readonly documents: DocumentRuns;
  readonly methods: RouteMethods;
}

/** Everything about runs, and the parts that start runs of drafts and tests. */
export function createRunService(options: RunServiceOptions): RunService {
  const { services, isDraining } = options;
  const { journal, scheduler, executor } = services;
  const context: QueryContext = {
    ...services,
    whyWaiting: (runId, jobId) => scheduler.whyWaiting(runId, jobId) ?? executor.whyWaiting?.({ runId, jobId }),
    reads: options.reads,
  };
  const queries = createRunQueries(context);
  const documents = createDocumentRuns(options, queries);
  const runs: EngineRuns = {
    ...queries,
    create: (caller, { body, idempotencyKey, fingerprint = body, wes, automation, ...from }) =>
      documents.start(caller, {
        ...{ ...body, idempotencyKey, fingerprint },
        resolve: () => resolveNew(caller, { body, ...from }, options),
        cause: { ...(wes && { wes }), ...(automation && { automation }) },
      }),
    plan: async (caller, body) => documents.plan(caller, await resolveRequest(caller, body, services), body.options),
    ...createRepetitions(documents, options),
    waitForChange: (caller, runId, wait) => waitForChange(caller, { runId, ...wait }, options),
    abort: (caller, runId, timeoutMs) => abortRun(caller, { runId, timeoutMs }, options),
  };
  const methods: RouteMethods = {
    ...runQueryMethods(context),
    ...describeMethods(journal, queries),
    "GET /api/runs": ({ caller, query }) => runs.list(caller, query),
    "GET /api/runs/{run_id}/jobs/{job_id}": ({ caller, params }) => runs.job(caller, params.run_id, params.job_id),
    "POST /api/plans": ({ caller, body }) => runs.plan(caller, body),
    "POST /api/runs/{run_id}/retry-plan": ({ caller, params, body }) => runs.planRetry(caller, params.run_id, body),
    "POST /api/runs/{run_id}/reproduce": ({ caller, params, body }) => runs.reproduce(caller, params.run_id, body),
    "POST /api/runs/{run_id}/pause": async ({ caller, params }) => {
      // A drain would wait forever for a paused run.
      if (isDraining()) throw new Refusal("draining", "The server is shutting down, so runs cannot be paused.");
      return pauseRun({ runId: params.run_id, caller }, services);
    },
    "POST /api/runs/{run_id}/resume": ({ caller, params }) => resumeRun({ runId: params.run_id, caller }, services),
  };
  return { runs, documents, methods };
}

function createDocumentRuns(options: RunServiceOptions, { get }: Pick<EngineRuns, "get">): DocumentRuns {
  const { services, ids } = options;
  const onBound = (run: StartedRun) => void recordInputsInBackground(run, services);
  const starter: RunStarter = { ...options, nextId: () => ids.next(), onBound };
  return {
    resolve: (caller, entry, body) => resolveBody(caller, { entry, body }, services),
    start: async (caller, request) => {
      const { runId, actor } = await startRun({ ...request, owner: caller.principal }, starter);
      return { run: get(caller, runId), replayed: actor === undefined };
    },
    plan: (caller, request, { cache = "use" } = {}) => planRun(caller, { request, cache }, services),
  };
}

/** Runs that repeat earlier ones. */
function createRepetitions(
  { start, plan }: DocumentRuns,
  options: RunServiceOptions,
): Pick<EngineRuns, "retry" | "planRetry" | "reproduce"> {
  return {
    retry: async (caller, runId, { body, idempotencyKey }) => {
      const row = requireRetryableRun(caller, runId, options);
      const { name = retryName(row.name), tags = row.tags } = body;
      return start(caller, {
        ...{ name, tags, idempotencyKey },
        options: retryOptions(row, body),
        cause: { retry_of: runId, ...(body.version === undefined ? draftOf(runId, options) : {}) },
        pinned: options.services.journal.read.pinnedFiles(runId),
        fingerprint: { retry_of: runId, body },
        resolve: () => resolveRetry(caller, { row, body }, options.services),
      });
    },
    planRetry: async (caller, runId, body) => {
      const row = requireRetryableRun(caller, runId, options);
      return plan(caller, await resolveRetry(caller, { row, body }, options.services), retryOptions(row, body));
    },
    reproduce: async (caller, runId, { name, tolerance: { relative = 0, absolute = 0 } = {} }) => {
      const row = requireRepeatableRun(caller, runId, options);
      const { run } = await start(caller, {
        name: name ?? `${row.name} (again)`.slice(0, 200),
        tags: row.tags,
        // Every job runs; none reuses an earlier result.
        options: { ...row.options, cache: "off" },
        cause: { reproduces: { run_id: runId, tolerance: { relative, absolute } }, ...draftOf(runId, options) },
        resolve: () => resolveReproduction(row, options.services),
      });
      return run;
    },
  };
}

/** The recorded document of a run of a draft is not published, also when another run uses it. */
function draftOf(runId: string, { services: { journal } }: RunServiceOptions): Pick<EventData<"run.created">, "draft"> {
  const { draft } = journal.read.creation(runId);
  return draft === undefined ? {} : { draft };
}

async function resolveNew(
  caller: Caller,
  { body, document, dataset }: Pick<CreateRunRequest, "body" | "document" | "dataset">,
  { services, wesDocuments }: RunServiceOptions,
): Promise<ResolvedRequest> {
  if (document !== undefined)
    return resolveBody(caller, { entry: await wesDocuments.entry(caller, document), body }, services);
  const resolved = await resolveRequest(caller, body, services);
  return dataset === undefined ? resolved : { ...resolved, dataset: recordOf(dataset) };
}

/** A run of a WES document is repeated only by those who may run the document. */
function requireRepeatableRun(caller: Caller, runId: string, { services, wesDocuments }: RunServiceOptions): RunRow {
  const row = requireVisibleRun(services.journal.read, runId, caller);
  const digest = wesDigestOf(row.documentUri);
  if (digest !== undefined) wesDocuments.requireRunnable(caller, digest);
  return row;
}

function requireRetryableRun(caller: Caller, runId: string, options: RunServiceOptions): RunRow {
  const row = requireRepeatableRun(caller, runId, options);
  refuseOpen(row);
  return row;
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

/** Waits for the end of a run that this server has yet to resume; the resumed run finds its abort in the log. */
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
