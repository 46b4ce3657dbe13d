import { existsSync, rmdirSync } from "node:fs";
import { runExpressionTool } from "@weft/cwl/outputs/run-expression-tool.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import type { JobExit, Launch, RunningJob } from "../executor/executor.ts";
import { readTail } from "../files/read-tail.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { recordBeginning } from "../journal/record-beginning.ts";
import { sandboxedExit } from "../sandbox/sandbox-failure.ts";
import { holdsPlaceholder, type RunSecrets } from "../secrets/run-secrets.ts";
import { canceledEnd, failedEnd, identify, NOTHING_KNOWN, startedEvent } from "./job-events.ts";
import type { JobContext, JobServices } from "./job-services.ts";
import type { BoundJob, JobEnd, JobIdentity } from "./job.ts";
import { KillLedger } from "./kill-ledger.ts";
import { pathsOf } from "./launch-command.ts";
import type { PreparedCommand, PreparedExpression, PreparedJob } from "./prepare-job.ts";

/** A command whose program has ended. */
export interface ExitedJob extends PreparedCommand {
  readonly exit: JobExit;
  readonly timeLimit: TimeLimit | undefined;
  readonly facts: ProgressEvents;
}

/** Starts a job that has its turn, whose start is recorded, and waits for the end of its program. */
export async function startJob(prepared: PreparedJob, context: JobContext): Promise<ExitedJob | JobEnd> {
  if (context.turn.signal.aborted) return canceledEnd();
  return prepared.kind === "command" ? runCommand(prepared, context) : evaluateTool(prepared, context);
}

async function runCommand(prepared: PreparedCommand, { services, turn }: JobContext): Promise<ExitedJob | JobEnd> {
  const { job, plan, launch, sandbox } = prepared;
  const facts = new ProgressEvents(job, services);
  const running = job.kind === "new" ? launchJob(launch, services) : services.executor.reattach(launch);
  void noteStart(running, launch, facts);
  const limit = { seconds: plan.timeLimitSeconds, services };
  const { exit: ended, timeLimit } = await waitForExit(job, running, limit);
  const exit =
    sandbox?.kind === "bubblewrap" ? await sandboxedExit(ended, () => readTail(job.folder, "stderr")) : ended;
  if (!turn.signal.aborted) return { ...prepared, exit, timeLimit, facts };
  // The end of the run closes the job without details about its program, so they are recorded now.
  facts.record();
  facts.end();
  removeIfEmpty(pathsOf(job).tmpdir);
  return canceledEnd(recordOf(exit));
}

export function removeIfEmpty(folder: string): void {
  try {
    // The launcher has removed an empty one.
    if (existsSync(folder)) rmdirSync(folder);
  } catch {
    // The content of the folder shows the state of the job.
  }
}

export function recordOf(exit: JobExit): Pick<JobEnd, "exitCode" | "used"> {
  return exit.kind === "exited" ? { exitCode: exit.exitCode, used: exit.used } : NOTHING_KNOWN;
}

async function evaluateTool({ job, tool }: PreparedExpression, { services, turn }: JobContext): Promise<JobEnd> {
  const started = startedEvent(job, { command: null }, services);
  if (!(await recordBeginning([started], services.journal, turn.signal))) return canceledEnd();
  try {
    const { requirements, evaluator, inputs } = job;
    const outputs = await runExpressionTool({ tool, requirements, inputs, evaluator, files: services.files });
    return { outcome: { status: "success", outputs }, ...NOTHING_KNOWN };
  } catch (error) {
    return failedEnd(error, "STAGE_OUT");
  }
}

function launchJob(launch: Launch, { executor, secrets, log }: JobServices): RunningJob {
  const { runId, jobId, backend } = launch;
  const known = secrets.of(runId);
  const warn = (message: string) => log("warn", message, { run_id: runId, job_id: jobId });
  if (showsSecret(launch, known))
    warn("a secret is on the command line of a job, which other accounts of this machine can read");
  if (backend === "tes" && !known.isEmpty)
    warn("a run with secrets has a job at the TES server, which stores the inputs of its tasks");
  return executor.submit(revealLaunch(launch, known));
}

async function noteStart(running: RunningJob, { backend }: Launch, facts: ProgressEvents): Promise<void> {
  const nativeId = await running.started;
  if (nativeId !== undefined) facts.runs(nativeId, { isRemote: backend !== "local" });
}

/** The actual launch; the log records it with placeholders. */
function revealLaunch(launch: Launch, secrets: RunSecrets): Launch {
  if (secrets.isEmpty) return launch;
  const env = Object.entries(launch.env).map(([name, value]) => [name, secrets.reveal(value)] as const);
  return { ...launch, argv: launch.argv.map((word) => secrets.reveal(word)), env: Object.fromEntries(env) };
}

/**
 * True if the command line contains a secret, because every account of the machine can read command lines of processes.
 */
function showsSecret({ argv }: Launch, secrets: RunSecrets): boolean {
  return !secrets.isEmpty && argv.some(holdsPlaceholder);
}

/** A job exceeded its time limit. */
export interface TimeLimit {
  readonly seconds: number;
  /** Undefined if processes could not be examined. */
  readonly kill: RecordedKill | undefined;
}

interface Limited {
  /** The time limit; undefined or 0 for none. */
  readonly seconds: number | undefined;
  readonly services: JobServices;
}

/** Waits for the end; ends the job's processes when it exceeds the tool's time limit. */
export async function waitForExit(
  job: Pick<BoundJob, "runId" | "jobId" | "attempt">,
  running: RunningJob,
  { seconds, services }: Limited,
): Promise<{ readonly exit: JobExit; readonly timeLimit: TimeLimit | undefined }> {
  if (seconds === undefined || seconds <= 0) return { exit: await running.exit, timeLimit: undefined };
  let killed: Promise<RecordedKill | undefined> | undefined;
  // The job's end arrives through `running.exit` like any other.
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  // Time waiting at its backend does not count.
  const begin = () => setTimeout(() => (killed = endLate(job, services)), seconds * 1000);
  void running.started.then(() => (timer = hasEnded ? undefined : begin()));
  const exit = await running.exit;
  hasEnded = true;
  clearTimeout(timer);
  if (killed === undefined) return { exit, timeLimit: undefined };
  // The program has ended, but its children may not have: the job is over when no process is left.
  const kill = await killed;
  return { exit, timeLimit: hasEndedBefore(exit, kill) ? undefined : { seconds, kill } };
}

/** The job ended by itself, but its end became known only after the limit, as with a backend that is rarely polled. */
function hasEndedBefore(exit: JobExit, kill: RecordedKill | undefined): boolean {
  return exit.kind === "exited" && kill?.processes_found === 0 && kill.confirmed_ms !== null;
}

async function endLate(
  { runId, jobId, attempt }: Parameters<typeof waitForExit>[0],
  services: Limited["services"],
): Promise<RecordedKill | undefined> {
  const ledger = new KillLedger(Date.now());
  const job = { jobId, attempt };
  try {
    ledger.add(await services.executor.cancel({ runId, job, graceMs: services.graceMs }), Date.now());
    return ledger.of(job);
  } catch (error) {
    const fields = { run_id: runId, job_id: jobId, error: String(error) };
    services.log("error", "a job past its time limit could not be ended", fields);
    return undefined;
  }
}

/** The minimum duration of a stage that has its own event. */
const BRIEF_MS = 100;

type Fact = Extract<NewEvent, { readonly type: "job.running" | "job.exited" }>;

interface NotedFact {
  readonly atMs: number;
  readonly event: (lateMs: number) => Fact;
}

/**
 * Records that the program of an attempt runs, and that it has exited, if this lasts. Nothing waits for these events, and
 * the end of a trivial job says the same: without them, such a job has three events instead of five.
 */
export class ProgressEvents {
  readonly #job: JobIdentity;
  readonly #services: JobServices;
  #noted: NotedFact[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The start of the program, as long as no event has recorded it. */
  #sinceMs: number | undefined;
  #isOver = false;

  constructor(job: JobIdentity, services: JobServices) {
    this.#job = job;
    this.#services = services;
  }

  /** `isRemote`: recorded at once, because its ID leads to it while it waits in a queue elsewhere. */
  runs(nativeId: string, { isRemote }: { readonly isRemote: boolean }): void {
    if (this.#isOver) return;
    const data = { native_id: nativeId };
    this.#sinceMs = this.#services.journal.nowMs();
    this.#note((lateMs) => ({ type: "job.running", ...identify(this.#job), data: { ...data, ...late(lateMs) } }));
    if (isRemote) this.record();
  }

  exited(exitCode: number, signal: number | null): void {
    const data = { exit_code: exitCode, signal };
    this.#note((lateMs) => ({ type: "job.exited", ...identify(this.#job), data: { ...data, ...late(lateMs) } }));
  }

  /** Records the noted events. */
  record(): void {
    clearTimeout(this.#timer);
    if (this.#noted.length === 0) return;
    const events = this.#noted.map(({ atMs, event }) => event(this.#msSince(atMs)));
    this.#noted = [];
    this.#sinceMs = undefined;
    const { runId, jobId } = this.#job;
    this.#services.journal.append(events).catch((error: unknown) => {
      const fields = { run_id: runId, job_id: jobId, error: String(error) };
      this.#services.log("warn", "a fact about a job was not recorded", fields);
    });
  }

  /** Ends the attempt. Returns the number of milliseconds since its program began, if no event has recorded the start. */
  end(): number | undefined {
    clearTimeout(this.#timer);
    this.#noted = [];
    this.#isOver = true;
    return this.#sinceMs === undefined ? undefined : this.#msSince(this.#sinceMs);
  }

  /** The clock of a run on the command line may be set back. */
  #msSince(atMs: number): number {
    return Math.max(0, this.#services.journal.nowMs() - atMs);
  }

  #note(event: NotedFact["event"]): void {
    this.#noted.push({ atMs: this.#services.journal.nowMs(), event });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.record(), BRIEF_MS);
  }
}

function late(lateMs: number) {
  return lateMs > 0 ? { late_ms: lateMs } : {};
}
