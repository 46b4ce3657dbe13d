import { errorText } from "../../error-text.ts";
import type { Sent } from "../remote/remote-system.ts";
import type { ProgramEnd, ProgramOptions } from "../run-program.ts";
import {
  ACCOUNT_FORMAT,
  END_FORMAT,
  parseAccount,
  parseEnds,
  parseQueue,
  QUEUE_FORMAT,
  type EndedTask,
  type QueuedTask,
} from "./queue-lines.ts";
import { sbatchArgv, sbatchScript, type Batch } from "./sbatch-request.ts";
import type { SlurmSettings } from "./slurm-settings.ts";

export type Submitted =
  | Exclude<Sent, { readonly kind: "too-many" }>
  /** The account has too many tasks; `isForGood`: not only because others of the account are pending. */
  | { readonly kind: "too-many"; readonly isForGood: boolean };

/** Runs a Slurm command with a given environment. */
export type RunSlurm = (program: string, args: readonly string[], options: ProgramOptions) => Promise<ProgramEnd>;

const COMMAND_MS = 60_000;
const MAX_LINES = 3;

/** Temporary errors: no response, or a limit on the number of jobs. */
const PASSES =
  /timed out|unable to contact|connect failure|connection (?:refused|reset)|communication|temporarily|try again|zero bytes|MaxSubmit|GrpSubmit|MaxJobCount|slurmctld|authentication|munge/i;

/** An array has more tasks than the site allows, or than an account may have pending. */
const ARRAY_TOO_LONG = /Invalid job array specification/i;
const TOO_MANY_JOBS = /MaxSubmit|GrpSubmit/i;

/**
 * Slurm through its command line tools. A failing command is a value; an unreadable queue says nothing about any job.
 */
export class SlurmClient {
  readonly #settings: SlurmSettings;
  readonly #run: RunSlurm;
  readonly #user: string;
  readonly #share: () => string;
  #launcher: string | undefined;
  /** False after Slurm has reported that it does not keep accounting records. */
  #hasAccounts = true;

  /**
   * `user`: the account whose jobs are listed, by name or number. `launcher`: see NodeSettings; called before the first
   * submission, and throws if it cannot be shared.
   */
  constructor(settings: SlurmSettings, run: RunSlurm, user: string, launcher: () => string = () => "") {
    this.#settings = settings;
    this.#run = run;
    this.#user = user;
    this.#share = launcher;
  }

  async submit(batch: Batch): Promise<Submitted> {
    const { commands, latencyMs } = this.#settings;
    try {
      this.#launcher ??= this.#share();
    } catch (error) {
      return { kind: "refused", message: `its launcher cannot be copied to the folder of runs: ${errorText(error)}` };
    }
    const launcher = this.#launcher;
    const input = Buffer.from(sbatchScript(batch, { launcher, latencyMs }));
    const { code, stderr } = await this.#call(commands.sbatch, sbatchArgv(batch, this.#settings), input);
    if (code === 0) return { kind: "accepted" };
    const message = stderrMessage(stderr, `${commands.sbatch} did not answer`);
    // A command that was killed for lack of a response has no code, like one that cannot be started.
    const isAbsent = code === null && /no such file or directory|permission denied/.test(stderr);
    const isForGood = ARRAY_TOO_LONG.test(stderr);
    if (batch.tasks.length > 1 && (isForGood || TOO_MANY_JOBS.test(stderr))) return { kind: "too-many", isForGood };
    return { kind: !isAbsent && (code === null || PASSES.test(stderr)) ? "unknown" : "refused", message };
  }

  /** Weft's unfinished Slurm jobs, or why they are unknown. */
  async queue(): Promise<readonly QueuedTask[] | { readonly failure: string }> {
    const { squeue } = this.#settings.commands;
    const { code, stdout, stderr } = await this.#call(squeue, [
      "--noheader",
      `--user=${this.#user}`,
      `--format=${QUEUE_FORMAT}`,
    ]);
    return code === 0 ? parseQueue(stdout) : { failure: stderrMessage(stderr, `${squeue} did not answer`) };
  }

  /**
   * How tasks of these arrays ended: from the queue, which remembers for some minutes, and from accounting, if there is
   * any; undefined: no response.
   */
  async ends(names: readonly string[]): Promise<readonly EndedTask[] | undefined> {
    const { squeue } = this.#settings.commands;
    const args = ["--noheader", `--user=${this.#user}`, "--states=all", `--name=${names.join(",")}`];
    const { code, stdout } = await this.#call(squeue, [...args, `--Format=${END_FORMAT}`]);
    if (code !== 0) return undefined;
    const queued = parseEnds(stdout);
    const known = new Set(queued.map(({ name, index }) => `${name}/${index}`));
    const accounted = await this.#accounted(names);
    const memory = new Map(accounted.map((end) => [`${end.name}/${end.index}`, end.maxRssBytes]));
    return [
      ...queued.map((end) => ({ ...end, maxRssBytes: memory.get(`${end.name}/${end.index}`) ?? null })),
      ...accounted.filter(({ name, index }) => !known.has(`${name}/${index}`)),
    ];
  }

  /** Cancels tasks: SIGTERM first and SIGKILL later, by the site's rules; `now`: SIGKILL immediately. */
  async cancel(ids: readonly string[], now: boolean): Promise<void> {
    if (ids.length === 0) return;
    const signal = now ? ["--signal=KILL", "--full"] : [];
    await this.#call(this.#settings.commands.scancel, ["--quiet", ...signal, ...ids]);
  }

  /** True if Slurm may report the memory of jobs. */
  get hasAccounts(): boolean {
    return this.#hasAccounts;
  }

  async #accounted(names: readonly string[]): Promise<readonly EndedTask[]> {
    if (!this.#hasAccounts) return [];
    const { sacct } = this.#settings.commands;
    const period = ["--starttime=now-7days", `--name=${names.join(",")}`];
    const { code, stdout, stderr } = await this.#call(sacct, [
      "--noheader",
      "--parsable2",
      `--user=${this.#user}`,
      ...period,
      `--format=${ACCOUNT_FORMAT}`,
    ]);
    if (code !== 0 && /disabled|ENOENT/.test(stderr)) this.#hasAccounts = false;
    return code === 0 ? parseAccount(stdout) : [];
  }

  #call(program: string, args: readonly string[], input?: Uint8Array): Promise<ProgramEnd> {
    return this.#run(program, args, {
      timeoutMs: COMMAND_MS,
      ...(input === undefined ? {} : { input }),
      env: slurmEnvironment(),
    });
  }
}

/** Keeps the server's variables out of jobs, and SBATCH_… variables out of requests. Does not truncate task lists. */
function slurmEnvironment(): Readonly<Record<string, string>> {
  const kept = ["PATH", "HOME", "USER", "LOGNAME", "SLURM_CONF"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LC_ALL: "C", SLURM_BITSTR_LEN: "0" };
}

/**
 * The complete error output of a command: often the first line names the limit or the partition, and the last one the
 * failure.
 */
function stderrMessage(stderr: string, otherwise: string): string {
  const lines = stderr.split("\n").map((line) => line.replace(/^\w+: (?:error: |fatal: )?/, "").trim());
  return lines.filter(Boolean).slice(-MAX_LINES).join("; ") || otherwise;
}
