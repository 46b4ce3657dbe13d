import { existsSync, rmdirSync } from "node:fs";
import { relative } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import { classifyExit } from "@weft/cwl/outputs/classify-exit.ts";
import { collectOutputs } from "@weft/cwl/outputs/collect-outputs.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import { giveWay } from "../async/give-way.ts";
import { restoreLinks } from "../container/restore-links.ts";
import type { Executor, JobExit, Launch, RunningJob } from "../executor/executor.ts";
import { removeBelowTrusted } from "../files/beneath/open-folder.ts";
import { readTail } from "../files/read-tail.ts";
import type { RunLog } from "../journal/run-log.ts";
import { sandboxedExit, withSandboxHint } from "../sandbox/sandbox-failure.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import { holdsPlaceholder, type RunSecrets } from "../secrets/run-secrets.ts";
import type { Log } from "../log.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { exitFailure, timeLimitFailure, withStderrHint } from "./exit-failure.ts";
import type { JobMemory } from "./exit-failure.ts";
import { canceledEnd, failedEnd, NOTHING_KNOWN, identify } from "./job-events.ts";
import type { JobEnd, JobIdentity } from "./job-events.ts";
import { signalOf } from "./job-failure.ts";
import type { JobFailure } from "./job-failure.ts";
import type { Job, JobTurn } from "./job.ts";
import { pathsOf } from "./launch-command.ts";
import type { PreparedCommand } from "./prepare-command.ts";
import { KillLedger } from "./kill-ledger.ts";

const MIB = 1024 * 1024;

export interface RunCommandServices extends RunLog, TimeLimitServices {
  readonly files: FileAccess;
  readonly secrets: SecretStore;
}

interface Turn {
  readonly services: RunCommandServices;
  readonly turn: JobTurn;
}

/**
 * Starts a prepared command whose start is recorded, waits for its end, and collects its outputs. Releases the
 * reservation as soon as the program has succeeded. If it failed, the run must know first, so that nothing starts that
 * should not.
 */
export async function runCommand(
  job: Job,
  tool: CommandLineTool,
  prepared: PreparedCommand,
  context: Turn,
): Promise<JobEnd> {
  const facts = new LastingFacts(job, context.services);
  const end = await endOf(job, tool, prepared, { ...context, facts });
  removeIfEmpty(pathsOf(job).tmpdir);
  return { ...end, ranMs: facts.end() };
}

async function endOf(
  job: Job,
  tool: CommandLineTool,
  prepared: PreparedCommand,
  { services, turn, facts }: Turn & { readonly facts: LastingFacts },
): Promise<JobEnd> {
  const { plan, launch, sandbox } = prepared;
  const running = job.startedBefore === undefined ? startJob(launch, services) : services.executor.reattach(launch);
  void noteStart(running, launch, facts);
  const limit = { seconds: plan.timeLimitSeconds, services };
  const { exit: ended, timeLimit } = await waitForExit(job, running, limit);
  const exit =
    sandbox?.kind === "bubblewrap" ? await sandboxedExit(ended, () => readTail(job.folder, "stderr")) : ended;
  if (turn.signal.aborted) {
    // The end of the run closes the job, and says nothing of its program.
    facts.record();
    return canceledEnd(recordOf(exit));
  }
  const { exitCode } = recordOf(exit);
  if (exitCode !== null) facts.exited(exitCode, signalOf(exitCode));
  const failure =
    timeLimit === undefined
      ? exitFailure(tool, exit, memoryOf(job, prepared, services.executor))
      : timeLimitFailure(timeLimit.seconds);
  const finished = { ...prepared, exit, timeLimit };
  if (failure !== undefined) return failedCommand(job, tool, finished, failure);
  turn.release();
  // If another job has ended meanwhile, its slot is filled first.
  await giveWay();
  return collect(job, tool, { ...finished, services });
}

function startJob(launch: Launch, { executor, secrets, log }: RunCommandServices): RunningJob {
  const known = secrets.of(launch.runId);
  if (showsSecret(launch, known)) {
    const { runId, jobId } = launch;
    log("warn", "a secret is on the command line of a job, which other accounts of this machine can read", {
      run_id: runId,
      job_id: jobId,
    });
  }
  if (launch.backend === "tes" && !known.isEmpty)
    log("warn", "a run with secrets has a job at the TES server, which stores the inputs of its tasks", {
      run_id: launch.runId,
      job_id: launch.jobId,
    });
  return executor.start(revealLaunch(launch, known));
}

async function noteStart(running: RunningJob, { backend }: Launch, facts: LastingFacts): Promise<void> {
  const nativeId = await running.started;
  if (nativeId !== undefined) facts.runs(nativeId, { isRemote: backend !== "local" });
}

/** A command whose program has ended. */
interface Finished extends PreparedCommand {
  readonly exit: JobExit;
  readonly timeLimit: TimeLimit | undefined;
}

async function failedCommand(
  job: Job,
  tool: CommandLineTool,
  finished: Finished,
  failure: JobFailure,
): Promise<JobEnd> {
  const { exit, plan, launch, sandbox, timeLimit } = finished;
  const stderr = await tailOfStderr(launch);
  if (exit.kind !== "rejected" && exit.cause?.clearsFiles === true) await clearFiles(job);
  const { networkAccess } = plan;
  const isClosedIn = sandbox?.kind === "bubblewrap";
  const reason = isClosedIn ? withSandboxHint(failure.reason, { networkAccess, stderr }) : failure.reason;
  return {
    outcome: { status: "failed", ...failure, reason: withStderrHint(reason, stderr) },
    ...recordOf(exit),
    kill: timeLimit?.kill,
    isTemporary: exit.kind === "exited" && classifyExit(tool, exit.exitCode) === "temporaryFail",
    stderrTail: stderr,
  };
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // What it contains shows what the job was doing.
  }
}

async function clearFiles(job: Job): Promise<void> {
  const { outdir, tmpdir } = pathsOf(job);
  for (const path of [outdir, tmpdir]) if (existsSync(path)) await removeBelowTrusted(path);
}

/** The memory of a job that ran out of it. */
function memoryOf({ resources }: Job, { containment, launch }: PreparedCommand, executor: Executor): JobMemory {
  const { limitsMemory = false } = executor;
  const ownLimit = limitsMemory && launch.backend === "local" ? launch.ramLimitBytes : undefined;
  const containerMib = containment?.limits.ramMib;
  return {
    requestedBytes: resources.ramMin * MIB,
    limitBytes: containerMib === undefined ? ownLimit : containerMib * MIB,
    inContainer: containment !== undefined,
  };
}

async function collect(
  job: Job,
  tool: CommandLineTool,
  { plan, exit, launch, containment, container, services }: Finished & Pick<Turn, "services">,
): Promise<JobEnd> {
  const record = recordOf(exit);
  const { outdir, tmpdir } = pathsOf(job);
  try {
    if (containment !== undefined) await restoreLinks(outdir, plan.runtime.outdir, containment.view.toOutside);
    const outputs = await collectOutputs({
      tool,
      requirements: job.requirements,
      inputs: plan.inputs,
      runtime: { ...plan.runtime, exitCode: record.exitCode ?? 0 },
      outdirUri: pathToUri(outdir),
      files: services.files,
      evaluator: job.evaluator,
      staging: plan.staging,
    });
    if (existsSync(tmpdir)) await removeBelowTrusted(tmpdir);
    return { outcome: { status: "success", outputs }, ...record, made: { container, staging: plan.staging } };
  } catch (error) {
    return { ...failedEnd(error, "STAGE_OUT"), ...record, stderrTail: await tailOfStderr(launch) };
  }
}

/** The end of the file that the tool names; if it does not exist, the output of starting the job. */
async function tailOfStderr({ folder, stderr }: Launch): Promise<string | undefined> {
  return (await readTail(folder, relative(folder, stderr))) ?? readTail(folder, "stderr");
}

function recordOf(exit: JobExit): Pick<JobEnd, "exitCode" | "used"> {
  return exit.kind === "exited" ? { exitCode: exit.exitCode, used: exit.used } : NOTHING_KNOWN;
}

/** What really starts; the log records the launch with placeholders. */
function revealLaunch(launch: Launch, secrets: RunSecrets): Launch {
  if (secrets.isEmpty) return launch;
  const env = Object.entries(launch.env).map(([name, value]) => [name, secrets.reveal(value)] as const);
  return { ...launch, argv: launch.argv.map((word) => secrets.reveal(word)), env: Object.fromEntries(env) };
}

/** Every account of the machine can read other processes' command lines. */
function showsSecret({ argv }: Launch, secrets: RunSecrets): boolean {
  return !secrets.isEmpty && argv.some(holdsPlaceholder);
}

/** A job exceeded its time limit. */
export interface TimeLimit {
  readonly seconds: number;
  /** Undefined if processes could not be examined. */
  readonly kill: RecordedKill | undefined;
}

export interface TimeLimitServices {
  readonly executor: Executor;
  readonly graceMs: number;
  readonly log: Log;
}

interface Limited {
  /** Undefined or 0: none. */
  readonly seconds: number | undefined;
  readonly services: TimeLimitServices;
}

/** Waits for the end; ends the job's processes when it exceeds the tool's time limit. */
export async function waitForExit(
  job: Job,
  running: RunningJob,
  { seconds, services }: Limited,
): Promise<{ readonly exit: JobExit; readonly timeLimit: TimeLimit | undefined }> {
  if (seconds === undefined || seconds <= 0) return { exit: await running.exit, timeLimit: undefined };
  let killed: Promise<RecordedKill | undefined> | undefined;
  // Its end arrives through `running.exit` like any other.
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

/** It had ended by itself: it became known only after the limit, as from a backend that is asked now and then. */
function hasEndedBefore(exit: JobExit, kill: RecordedKill | undefined): boolean {
  return exit.kind === "exited" && kill?.processes_found === 0 && kill.confirmed_ms !== null;
}

async function endLate({ runId, jobId, attempt }: Job, services: TimeLimitServices): Promise<RecordedKill | undefined> {
  const ledger = new KillLedger(Date.now());
  const job = { jobId, attempt };
  try {
    ledger.add(await services.executor.kill({ runId, job, graceMs: services.graceMs }), Date.now());
    return ledger.of(job);
  } catch (error) {
    const fields = { run_id: runId, job_id: jobId, error: String(error) };
    services.log("error", "a job past its time limit could not be ended", fields);
    return undefined;
  }
}

/** What is over sooner has no event of its own. */
const BRIEF_MS = 100;

type Fact = Extract<NewEvent, { readonly type: "job.running" | "job.exited" }>;

interface NotedFact {
  readonly atMs: number;
  readonly event: (lateMs: number) => Fact;
}

interface FactServices extends Pick<RunLog, "journal"> {
  readonly log: Log;
}

/**
 * Records that the program of an attempt runs, and that it has exited, if this lasts. Nothing waits for these events, and
 * the end of a trivial job says the same: without them, such a job has three events instead of five.
 */
export class LastingFacts {
  readonly #job: JobIdentity;
  readonly #services: FactServices;
  #noted: NotedFact[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Since when the program runs, as long as no event says so. */
  #sinceMs: number | undefined;
  #isOver = false;

  constructor(job: JobIdentity, services: FactServices) {
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

  /** Records what has been noted. */
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

  /** The attempt is over. Returns how many milliseconds ago its program began, if no event says so. */
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
