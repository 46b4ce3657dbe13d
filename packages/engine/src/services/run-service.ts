import { Refusal } from "@weft/shared/records/refusal.ts";
import type {
  DescribedRuns,
  DescribeRun,
  DescribeRuns,
  RunOptions,
  RunStatus,
} from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Caller } from "../port/caller.ts";
import type { CreateRunRequest, DraftRunBody, EngineRuns } from "../port/engine.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { presentStatus } from "../present/present-run.ts";
import { startRun } from "../runs/begin/start-run.ts";
import type { RunStarter } from "../runs/begin/start-run.ts";
import { recordInputsInBackground } from "../runs/begin/record-inputs.ts";
import type { StartedRun } from "../runs/begin/record-inputs.ts";
import { pauseRun, resumeRun } from "../runs/drive/pause-run.ts";
import { planRun } from "../runs/plan/plan-run.ts";
import { recordOf } from "../runs/begin/dataset-inputs.ts";
import { resolveBody, resolveRequest } from "../runs/begin/resolve-request.ts";
import type { RequestContext, ResolvedRequest, RunnableEntry } from "../runs/begin/resolve-request.ts";
import { refuseOpen, resolveReproduction, resolveRetry, retryOptions } from "../runs/retry/retry-run.ts";
import type { RunNameTemplates } from "../runs/begin/run-name.ts";
import type { RunIds } from "../runs/begin/run-ids.ts";
import { retryName } from "../runs/begin/run-name.ts";
import type { RunRow } from "../journal/rows.ts";
import { wesDigestOf } from "../wes-documents/wes-documents.ts";
import type { WesDocuments } from "../wes-documents/wes-documents.ts";
import { createRunQueries } from "./run-queries.ts";
import type { DraftRuns } from "./draft-service.ts";
import type { QueryContext } from "./run-queries.ts";
import type { RunRegistry } from "../runs/drive/run-registry.ts";
import { requireChangeableRun, requireVisibleRun } from "../access/visible-runs.ts";
import type { Journal } from "../journal/journal.ts";

export interface RunServiceOptions {
  readonly services: RequestContext;
  readonly registry: RunRegistry;
  readonly ids: RunIds;
  readonly isDraining: () => boolean;
  readonly reads: QueryContext["reads"];
  readonly wesDocuments: WesDocuments;
  /** Maximum number of open runs; undefined: unlimited. */
  readonly maxOpenRuns?: number | undefined;
  readonly runNames?: RunNameTemplates | undefined;
}

/** The methods for runs, and those that start runs of drafts and tests. */
export function createRunService(options: RunServiceOptions): {
  readonly runs: EngineRuns;
  readonly drafts: DraftRuns;
} {
  const { services } = options;
  const { journal, scheduler, runsFolder, access } = services;
  const queries = createRunQueries(journal, {
    whyWaiting: (runId, jobId) =>
      scheduler.whyWaiting(runId, jobId) ?? services.executor.whyWaiting?.({ runId, jobId }),
    catalog: services.catalog,
    runsFolder,
    access,
    reads: options.reads,
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
  return { runs, drafts: starter.drafts };
}

type RunQueries = ReturnType<typeof createRunQueries>;

/** Starts runs and plans them. */
function createRunStarter(
  options: RunServiceOptions,
  queries: RunQueries,
): { readonly runs: Pick<EngineRuns, "create" | "plan"> & Repetitions; readonly drafts: DraftRuns } {
  const { services, ids } = options;
  const onBound = (run: StartedRun) => void recordInputsInBackground(run, services);
  const starter: RunStarter = { ...options, nextId: () => ids.next(), onBound };
  const start: DraftRuns["start"] = async (caller, request) => {
    const { runId, actor } = await startRun({ ...request, owner: caller.principal }, starter);
    return { run: queries.get(caller, runId), replayed: actor === undefined };
  };
  const resolve = (caller: Caller, entry: RunnableEntry, body: DraftRunBody) =>
    resolveBody(caller, { entry, body }, services);
  const plan: Planner = (caller, request, { cache = "use" } = {}) => planRun(caller, { request, cache }, services);
  const runs: Pick<EngineRuns, "create" | "plan"> = {
    create: (caller, { body, idempotencyKey, fingerprint = body, wes, automation, ...from }) =>
      start(caller, {
        ...{ ...body, idempotencyKey, fingerprint },
        resolve: () => resolveNew(caller, { body, ...from }, options),
        cause: { ...(wes && { wes }), ...(automation && { automation }) },
      }),
    plan: async (caller, body) => plan(caller, await resolveRequest(caller, body, services), body.options),
  };
  const planDraft: DraftRuns["plan"] = async (caller, entry, body) =>
    plan(caller, await resolve(caller, entry, body), body.options);
  return {
    runs: { ...runs, ...createRepetitions({ start, plan }, options) },
    drafts: { start, resolve, plan: planDraft },
  };
}

type Planner = (caller: Caller, request: ResolvedRequest, options?: RunOptions) => ReturnType<EngineRuns["plan"]>;
type Repetitions = Pick<EngineRuns, "retry" | "planRetry" | "reproduce">;

/** Runs that repeat earlier ones. */
function createRepetitions(
  { start, plan }: { readonly start: DraftRuns["start"]; readonly plan: Planner },
  options: RunServiceOptions,
): Repetitions {
  return {
    retry: async (caller, runId, { body, idempotencyKey }) => {
      const row = requireRetryableRun(caller, runId, options);
      const { name = retryName(row.name), tags = row.tags } = body;
      return start(caller, {
        ...{ name, tags, idempotencyKey },
        options: retryOptions(row, body),
        cause: { retry_of: runId },
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
        cause: { reproduces: { run_id: runId, tolerance: { relative, absolute } } },
        resolve: () => resolveReproduction(row, options.services),
      });
      return run;
    },
  };
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

/** Maximum number of tags that a run can have. */
const MAX_TAGS = 1000;

/** Changes the description of one run. Refuses `conflict` for archiving an open run. */
async function describeRun(
  caller: Caller,
  { runId, change }: { readonly runId: string; readonly change: DescribeRun },
  journal: Journal,
): Promise<void> {
  refuseUnended(requireChangeableRun(journal.read, runId, caller), change);
  await journal.append([described(caller, runId, change)]);
}

/** Changes many runs in one transaction, and says which it could not change. */
async function describeRuns(
  caller: Caller,
  { run_ids: runIds, add_tags: addTags = {}, remove_tags: removeTags = [], ...flags }: DescribeRuns,
  journal: Journal,
): Promise<DescribedRuns> {
  const events: NewEvent[] = [];
  const refused: DescribedRuns["refused"] = [];
  for (const runId of new Set(runIds)) {
    const change = { ...flags };
    try {
      const row = requireChangeableRun(journal.read, runId, caller);
      refuseUnended(row, change);
      const tags = changeTags(row, { addTags, removeTags });
      events.push(described(caller, runId, tags === undefined ? change : { ...change, tags }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push({ run_id: runId, code: error.code, detail: error.message });
    }
  }
  if (events.length > 0) await journal.append(events);
  return { changed: events.length, refused };
}

function refuseUnended({ runId, state }: RunRow, { archived }: Pick<DescribeRun, "archived">): void {
  if (archived !== true || isFinal(state)) return;
  throw new Refusal("conflict", `The run ${runId} is ${state}; only finished runs can be archived.`);
}

interface TagChange {
  readonly addTags: Readonly<Record<string, string>>;
  readonly removeTags: readonly string[];
}

/** Undefined if nothing is to change. */
function changeTags({ runId, tags }: RunRow, { addTags, removeTags }: TagChange): Record<string, string> | undefined {
  if (Object.keys(addTags).length === 0 && removeTags.length === 0) return undefined;
  const left = new Map(Object.entries(tags));
  for (const tag of removeTags) left.delete(tag);
  for (const [tag, value] of Object.entries(addTags)) left.set(tag, value);
  if (left.size > MAX_TAGS) throw new Refusal("conflict", `The run ${runId} would have more than ${MAX_TAGS} tags.`);
  return Object.fromEntries(left);
}

function described({ principal }: Caller, runId: string, data: DescribeRun): NewEvent {
  return { type: "run.described", run_id: runId, actor: principal, data };
}
