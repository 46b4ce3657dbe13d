import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  NOTHING_MEASURED,
  type AttemptState,
  type BegunAttempt,
  type Machine,
  type JobExit,
  type JobSelector,
  type KillReport,
  type Launch,
  type RunningJob,
} from "../executor/executor.ts";
import { takeClaim } from "../executor/inspect-attempt.ts";
import { RECORD_FILE } from "../executor/job-record-text.ts";

/** The behavior of a program. Paths are relative to its working directory, or absolute. */
export interface ProgramCall {
  readonly launch: Launch;
  /** The words after the program's name. */
  readonly args: readonly string[];
  /** The content of its standard input. */
  readonly stdin: () => string;
  readonly read: (path: string) => string;
  /** Creates the file, and the folders around it. */
  readonly write: (path: string, content: string | Uint8Array) => void;
  /** Appends to standard output, where readers see it at once. */
  readonly print: (text: string) => void;
  /** Appends to standard error. */
  readonly warn: (text: string) => void;
}

/** Exit code; undefined: 0. A whole `JobExit` if the test needs a cause, resources, or a lost job. */
type End = number | void | JobExit;

/** Runs in this process, for as long as it likes; a kill ends its job regardless. If it throws, that is a bug. */
export type Program = (call: ProgramCall) => End | Promise<End>;

interface Attempt {
  readonly launch: Launch;
  readonly pid: number;
  readonly ended: PromiseWithResolvers<JobExit>;
  isLive: boolean;
}

/**
 * Runs the programs of jobs as functions, without any process:
 *
 *     const gate = Promise.withResolvers<number>(); // the job runs until gate.resolve(exitCode)
 *     const programs = { wait: () => gate.promise, shout: ({ stdin, print }) => print(stdin().toUpperCase()) };
 *     const engine = await openTestEngine(root, { executor: new ScriptedExecutor(programs) });
 *
 * `baseCommand: wait` then names the first one. `true`, `false`, `echo`, `cat` and `hang` (runs until it is killed)
 * always exist. As on a machine, jobs outlive an engine that detaches from them: pass the same executor to the next
 * engine, which reattaches. A new executor knows no earlier jobs, as after a power cut.
 */
export class ScriptedExecutor implements Machine {
  /** Every launch so far, in order. */
  readonly launches: Launch[] = [];
  readonly #programs: ReadonlyMap<string, Program>;
  readonly #attempts = new Map<string, Attempt>();
  /** Replaced when an engine closes: later events reach only the next engine. */
  #life = new AbortController();
  #lastPid = 1000;

  constructor(programs: Readonly<Record<string, Program>> = {}) {
    this.#programs = new Map(Object.entries({ ...STANDARD_PROGRAMS, ...programs }));
  }

  submit(launch: Launch): RunningJob {
    const attempt = { launch, pid: ++this.#lastPid, ended: Promise.withResolvers<JobExit>(), isLive: true };
    // the engine may detach from a job whose program then throws
    attempt.ended.promise.catch(() => {});
    this.launches.push(launch);
    this.#attempts.set(nameOf(launch), attempt);
    claim(attempt);
    if (createStreams(launch)) void this.#run(attempt);
    else end(attempt, 126);
    return this.#follow(attempt);
  }

  async look(attempt: BegunAttempt): Promise<AttemptState> {
    if (this.#attempts.has(nameOf(attempt))) return "reattach";
    return takeClaim(attempt.folder) ? "unclaimed" : "lost";
  }

  reattach(launch: Launch): RunningJob {
    const attempt = this.#attempts.get(nameOf(launch));
    if (attempt !== undefined) return this.#follow(attempt);
    return { started: Promise.resolve(undefined), exit: Promise.resolve({ kind: "lost" }) };
  }

  async cancel(target: JobSelector): Promise<KillReport> {
    const killed = [...this.#attempts.values()].filter((attempt) => attempt.isLive && isOf(target, attempt.launch));
    for (const attempt of killed) end(attempt, 143);
    const signals = ["SIGTERM" as const];
    const jobs = killed.map(({ launch: { jobId, attempt } }) => ({ jobId, attempt, signals }));
    const counted = jobs.map((job) => ({ ...job, found: 1, killed: 0, confirmedMs: Date.now() }));
    return { proven: true, evidence: ["scans"], jobs: counted, left: [] };
  }

  async close(): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
  }

  async #run(attempt: Attempt): Promise<void> {
    const { launch } = attempt;
    const program = this.#programs.get(basename(launch.argv[0] ?? "")) ?? notFound;
    try {
      end(attempt, await program(callOf(attempt)));
    } catch (error) {
      attempt.isLive = false;
      attempt.ended.reject(new Error(`the program of the test failed: ${launch.argv.join(" ")}`, { cause: error }));
    }
  }

  #follow({ pid, ended }: Attempt): RunningJob {
    const { signal } = this.#life;
    const exit = new Promise<JobExit>((resolve, reject) => {
      ended.promise.then(
        (how) => signal.aborted || resolve(how),
        (error: Error) => signal.aborted || reject(error),
      );
    });
    return { started: Promise.resolve(String(pid)), exit };
  }
}

const STANDARD_PROGRAMS: Readonly<Record<string, Program>> = {
  true: () => 0,
  false: () => 1,
  echo({ args, print }) {
    const isWithoutEnd = args[0] === "-n";
    print(isWithoutEnd ? args.slice(1).join(" ") : `${args.join(" ")}\n`);
  },
  cat({ args, stdin, read, print }) {
    if (args.length === 0) print(stdin());
    for (const path of args) print(read(path));
  },
  hang: () => new Promise<void>(() => {}),
};

function notFound({ launch, warn }: ProgramCall): number {
  warn(`${launch.argv[0]}: command not found\n`);
  return 127;
}

function nameOf({ runId, jobId, attempt }: Pick<Launch, "runId" | "jobId" | "attempt">): string {
  return `${runId}/${jobId}/${attempt}`;
}

function isOf({ runId, job }: JobSelector, launch: Launch): boolean {
  if (runId !== launch.runId) return false;
  return job === undefined || (job.jobId === launch.jobId && job.attempt === launch.attempt);
}

/** Leaves the record that a wrapper leaves. */
function claim({ launch: { folder }, pid }: Attempt): void {
  writeFileSync(join(folder, RECORD_FILE), `pid ${pid}\n`);
}

/** False if something is in the way of a stream, or if there is no folder for it. */
function createStreams({ stdout, stderr }: Launch): boolean {
  try {
    for (const path of new Set([stderr, stdout])) writeFileSync(path, "", { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}

function end(attempt: Attempt, how: End): void {
  if (!attempt.isLive) return;
  attempt.isLive = false;
  const exit: JobExit = typeof how === "object" ? how : { kind: "exited", exitCode: how ?? 0, used: NOTHING_MEASURED };
  if (exit.kind === "exited") appendFileSync(join(attempt.launch.folder, RECORD_FILE), `exit ${exit.exitCode}\n`);
  attempt.ended.resolve(exit);
}

/** A killed program does nothing any more, even if its function continues. */
function callOf(attempt: Attempt): ProgramCall {
  const { launch } = attempt;
  const at = (path: string) => resolve(launch.workdir, path);
  const append = (path: string) => (text: string) => {
    if (attempt.isLive) appendFileSync(path, text);
  };
  return {
    launch,
    args: launch.argv.slice(1),
    stdin: () => readFileSync(launch.stdin, "utf8"),
    read: (path) => readFileSync(at(path), "utf8"),
    write(path, content) {
      if (!attempt.isLive) return;
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
    },
    print: append(launch.stdout),
    warn: append(launch.stderr),
  };
}
