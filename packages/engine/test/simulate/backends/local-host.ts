import type { FoundProcess } from "../../../src/executor/kill/job-processes.ts";
import type { JobSelector, Launch } from "../../../src/executor/executor.ts";
import { WORLD, type Owner } from "../machine/event-loop.ts";
import type { Machine } from "../machine/machine.ts";
import type { FaultRates } from "../world/faults.ts";
import { ForeignFiles } from "./foreign-files.ts";
import { printed, type Execution, type Programs } from "./programs.ts";

/** A wrapper and its program, as one entry of the process table each. */
interface HostProcess {
  readonly pid: number;
  readonly launch: Launch;
  readonly isDeaf: boolean;
  readonly hangs: boolean;
  readonly die: (signal: "SIGTERM" | "SIGKILL") => void;
  /** The wrapper ends, and its program does not. */
  readonly loseWrapper: () => void;
}

/** Well above the time that processes have to end. */
const FORCE_MS = 60_000;

export type HostMessage =
  | { readonly kind: "forked" | "started"; readonly pid: number }
  | { readonly kind: "ended" | "taken" | "gone" };

/** The processes of the machine on which the server runs. They outlive the server, and end when the power fails. */
export class LocalHost {
  readonly #machine: Machine;
  readonly #programs: Programs;
  readonly #rates: FaultRates;
  readonly #files: ForeignFiles;
  readonly #table = new Map<number, HostProcess>();
  /** The wrappers among them: a program may outlive the wrapper that records its end. */
  readonly #wrappers = new Set<number>();
  #lastPid = 100;
  /** Replaced when the power fails. */
  #power: { isAlive: boolean } & Owner = { isAlive: true };

  constructor(machine: Machine, programs: Programs, rates: FaultRates) {
    this.#machine = machine;
    this.#programs = programs;
    this.#rates = rates;
    this.#files = new ForeignFiles(machine);
    machine.proc = (path) => this.#proc(path);
  }

  /** Starts a wrapper for an attempt whose launch file is written. `tell` reaches only the server that started it. */
  start(launch: Launch, tell: (message: HostMessage) => void): void {
    const { decisions, loop } = this.#machine;
    const { lateStart, lostStart, doubleStart } = this.#rates;
    const isLate = decisions.happens("host.late", lateStart);
    const delayMs = decisions.delayMs("host.fork", isLate ? 10_000 : 5, isLate ? 20_000 : 50);
    if (decisions.happens("host.lost-start", lostStart)) {
      loop.after(delayMs, () => tell({ kind: "gone" }), this.#power);
      return;
    }
    loop.after(delayMs, () => this.#wrap(launch, tell), this.#power);
    // A supervisor that was replaced may start a job again.
    if (decisions.happens("host.double", doubleStart))
      loop.after(delayMs, () => this.#wrap(launch, () => {}), this.#power);
  }

  find({ runId, job }: JobSelector): readonly FoundProcess[] {
    return [...this.#table.values()]
      .filter(({ launch }) => launch.runId === runId)
      .filter(({ launch }) => job === undefined || (launch.jobId === job.jobId && launch.attempt === job.attempt))
      .map(({ pid, launch }) => ({ pid, job: `${launch.jobId}/${launch.attempt}` }));
  }

  signal(pid: number, signal: NodeJS.Signals): void {
    const found = this.#table.get(pid);
    if (found === undefined) return;
    if (signal === "SIGKILL" || (signal === "SIGTERM" && !found.isDeaf)) found.die(signal);
    else if (signal === "SIGTERM") this.#expectForce(found);
  }

  /** A server that has asked a process to end kills it soon, if it does not end. */
  #expectForce({ pid, launch }: HostProcess): void {
    const { loop, process } = this.#machine;
    const check = () => {
      if (this.#table.has(pid)) this.#programs.outlived(launch);
    };
    loop.after(FORCE_MS, check, process);
  }

  has(pid: number): boolean {
    return this.#table.has(pid);
  }

  /** The cause that kills the server may also kill wrappers. */
  serverKilled(): void {
    const { decisions } = this.#machine;
    for (const { loseWrapper } of [...this.#table.values()])
      if (decisions.happens("host.wrapper-dies-too", this.#rates.wrapperDies)) loseWrapper();
  }

  losePower(): void {
    this.#power.isAlive = false;
    this.#power = { isAlive: true };
    for (const { die } of [...this.#table.values()]) die("SIGKILL");
    this.#machine.boot += 1;
  }

  /** An operator ends everything that would never end, except in runs that Weft must end. */
  endHanging(isLeft: (runId: string) => boolean): void {
    for (const { launch, hangs, die } of [...this.#table.values()])
      if (hangs && !isLeft(launch.runId)) this.#machine.loop.after(1000, () => die("SIGKILL"), WORLD);
  }

  get isEmpty(): boolean {
    return this.#table.size === 0;
  }

  #wrap(launch: Launch, tell: (message: HostMessage) => void): void {
    const pid = ++this.#lastPid;
    tell({ kind: "forked", pid });
    const record = `${launch.folder}/record`;
    if (!this.#claims(launch.folder, record)) return tell({ kind: "taken" });
    this.#files.write(record, `pid ${pid}\nboot ${this.#bootId}\nstat ${statOf(pid)}\n`);
    tell({ kind: "started", pid });
    this.#run(launch, { pid, record, tell });
  }

  /** Acts like the launcher. */
  #claims(folder: string, record: string): boolean {
    if (this.#files.claim(record) !== undefined) return false;
    this.#files.remove(`${folder}/launch`);
    return true;
  }

  #run(launch: Launch, { pid, record, tell }: Wrapped): void {
    const { decisions, loop } = this.#machine;
    const { durationMs, exitCode, isDeaf, hangs } = this.#programs.behave();
    const { runId, jobId, attempt } = launch;
    const execution = this.#programs.begin({ runId, jobId, attempt, where: "local" });
    const loseWrapper = () => {
      if (!this.#wrappers.delete(pid)) return;
      execution.isOrphan = true;
      tell({ kind: "gone" });
    };
    const end = (code: number | undefined) => {
      if (!this.#table.delete(pid)) return;
      this.#programs.end(execution);
      if (code === undefined || !this.#wrappers.delete(pid)) return loseWrapper();
      this.#record(record, code, execution);
      tell({ kind: "ended" });
    };
    const die = (signal: "SIGTERM" | "SIGKILL") => end(signal === "SIGTERM" ? 143 : undefined);
    this.#table.set(pid, { pid, launch, isDeaf, hangs, die, loseWrapper });
    this.#wrappers.add(pid);
    if (decisions.happens("host.wrapper-dies", this.#rates.wrapperDies))
      loop.after(durationMs * decisions.fraction("host.dies-after"), loseWrapper, this.#power);
    if (!hangs) loop.after(durationMs, () => end(this.#print(launch) ? exitCode : 1), this.#power);
  }

  /** The wrapper writes the exit, perhaps not to its last byte. */
  #record(record: string, code: number, execution: Execution): void {
    const text = `exit ${code}\n`;
    const isTorn = this.#machine.decisions.happens("host.torn-record", this.#rates.tornRecord);
    if (this.#files.append(record, isTorn ? text.slice(0, -1) : text) === undefined && !isTorn)
      execution.recorded = code;
  }

  #print(launch: Launch): boolean {
    const text = printed(launch.argv.slice(1), (word) => (word.startsWith("/") ? this.#files.text(word) : undefined));
    return this.#files.write(launch.stdout, text) === undefined && this.#files.write(launch.stderr, "") === undefined;
  }

  get #bootId(): string {
    return `boot-${this.#machine.boot}`;
  }

  #proc(path: string): string | undefined {
    if (path === "/proc/sys/kernel/random/boot_id") return `${this.#bootId}\n`;
    const pid = Number(/^\/proc\/(\d+)\/stat$/.exec(path)?.[1]);
    return this.#wrappers.has(pid) ? statOf(pid) : undefined;
  }
}

interface Wrapped {
  readonly pid: number;
  readonly record: string;
  readonly tell: (message: HostMessage) => void;
}

/** A line of /proc/PID/stat: the name, the state, and the start time as field 22. */
function statOf(pid: number): string {
  return `${pid} (weft-job) S ${Array.from({ length: 18 }, () => 0).join(" ")} ${pid * 7}`;
}
