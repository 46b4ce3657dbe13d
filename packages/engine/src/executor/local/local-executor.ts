import { existsSync } from "node:fs";
import type { JobCgroups } from "../cgroup/job-cgroups.ts";
import type {
  BegunAttempt,
  Machine,
  JobExit,
  KillReport,
  KillTarget,
  Launch,
  RunningJob,
  AttemptState,
  JobSelector,
} from "../executor.ts";
import { claimLives, readRecord, untilClaimedEnds, processLives } from "../job-record.ts";
import { parseClaim, parseExit, parseGroup } from "../job-record-text.ts";
import type { JobStarter } from "../job-starter.ts";
import type { Marks } from "../launch-file.ts";
import { LauncherClient } from "../launcher-client.ts";
import { launcherPath } from "../launcher-path.ts";
import { endProcesses, sendSignal, type ProcessTable } from "../kill/end-processes.ts";
import { stampOf } from "../kill/job-stamp.ts";
import { RemainingProcesses } from "../kill/remaining-processes.ts";
import { ProcScanner } from "./proc-scanner.ts";
import { SpawnStarter } from "../spawn-starter.ts";
import { inspectAttempt } from "../inspect-attempt.ts";
import { JobUsage, OomCount, UseSampler } from "../usage/job-usage.ts";
import { guardedMachine, JobGuard, type JobLimits } from "../usage/job-guard.ts";
import type { FoundProcess } from "../kill/job-processes.ts";
import { jobName } from "../job-marker.ts";
import { MACHINE_CLOCK } from "../tracker.ts";

/** The interval between checks for killed wrappers, which cannot report their end. */
const LOOK_EVERY_MS = 250;

/** The kernel's limit on processes is this much higher, so that the guard sees that a job exceeds its limit. */
const HEADROOM = 1.25;

/** Mechanisms of this machine, besides environments, to find all processes of a job (see open-local-executor.ts). */
export interface Guards {
  /** The limit on file locks can carry a stamp. */
  readonly stamps: boolean;
  readonly cgroups: JobCgroups | undefined;
  readonly limits: JobLimits;
}

/** Called with processes that outlived the program of their job and were killed. */
export type RemainingProcessesListener = (
  attempt: Pick<Launch, "runId" | "jobId" | "attempt">,
  report: KillReport,
) => void;

/** Runs jobs as local processes, each in its own process group. */
export class LocalExecutor implements Machine {
  readonly limitsMemory: boolean;
  readonly #guards: Guards;
  readonly #starter: JobStarter;
  readonly #wrappers = new WrapperTable();
  readonly #scanner = new ProcScanner();
  readonly #table: ProcessTable;
  readonly #sampler: UseSampler;
  readonly #guard: JobGuard;
  readonly #usage: JobUsage;
  readonly #remaining: RemainingProcesses;
  readonly #closing = new AbortController();
  readonly #look: NodeJS.Timeout;
  #running = 0;

  constructor(guards: Guards, onRemaining: RemainingProcessesListener = () => {}, launcher = launcherPath()) {
    this.#guards = guards;
    this.#starter = launcher === undefined ? new SpawnStarter() : new LauncherClient(launcher);
    this.limitsMemory = guards.cgroups?.countsMemory === true;
    this.#starter.warm();
    const canScan = existsSync("/proc/self/environ");
    this.#table = canScan ? this.#wrappers.with(this.#scanner.table) : groupTable((place) => this.#wrappers.of(place));
    const now = (): number => performance.now();
    this.#guard = new JobGuard({
      limits: guards.limits,
      machine: guardedMachine,
      kill: (target) => this.cancel(target),
      now,
    });
    this.#sampler = new UseSampler({
      measure: canScan ? this.#scanner.use : async () => [],
      onSample: (pid, use) => this.#guard.seen(pid, use),
      now,
    });
    this.#usage = new JobUsage({ sampler: this.#sampler, oom: new OomCount(), cgroups: guards.cgroups });
    this.#remaining = new RemainingProcesses({
      isLeft: (attempt, group) => guards.cgroups?.isInUse(attempt) ?? groupLives(group),
      kill: (target) => this.cancel(target),
      ended: onRemaining,
      clock: MACHINE_CLOCK,
    });
    this.#look = setInterval(() => this.#scanProcesses(), LOOK_EVERY_MS).unref();
  }

  submit(launch: Launch): RunningJob {
    const started = Promise.withResolvers<string | undefined>();
    const exit = Promise.withResolvers<JobExit>();
    // A check may find that a wrapper is gone just before the wrapper's report arrives.
    let isOver = false;
    const end = (how: () => JobExit | Promise<JobExit>) => {
      if (isOver) return;
      isOver = true;
      started.resolve(undefined);
      exit.resolve(how());
    };
    const wrapper = { launch, gone: () => end(() => this.#exitOf(launch)) };
    this.#starter.start(launch, this.#marksOf(launch), (message) => {
      switch (message.kind) {
        case "forked":
          this.#wrappers.add(message.pid, wrapper);
          this.#watchUse(launch, message.pid, false);
          return;
        case "started":
          started.resolve(String(message.pid));
          return;
        case "ended":
          this.#wrappers.drop(wrapper);
          return end(() => this.#exitOf(launch));
        case "taken":
          this.#wrappers.drop(wrapper);
          return end(() => this.#watch(launch));
        case "rejected":
          this.#guards.cgroups?.remove(launch);
          return end(() => message);
      }
    });
    this.#lookUntil(exit.promise);
    return { started: started.promise, exit: exit.promise };
  }

  async look({ folder }: BegunAttempt): Promise<AttemptState> {
    return inspectAttempt(folder);
  }

  reattach(launch: Launch): RunningJob {
    return { started: Promise.resolve(this.#inspect(launch)), exit: this.#watch(launch) };
  }

  async cancel(target: KillTarget): Promise<KillReport> {
    const { cgroups } = this.#guards;
    const report = await endProcesses(target, { table: this.#table, groups: cgroups });
    cgroups?.clear(target);
    return report;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#remaining.close();
    clearInterval(this.#look);
    await this.#starter.close();
    await this.#scanner.close();
    this.#guards.cgroups?.close();
  }

  #marksOf(launch: Launch): Marks {
    const { stamps, cgroups, limits } = this.#guards;
    const stamp = stamps ? stampOf(launch.runId, launch) : undefined;
    // A container engine puts its processes into its own groups, and has limits of its own.
    if (launch.container !== undefined) return { stamp };
    const { jobProcesses, jobOpenFiles } = limits;
    const processes = Math.ceil(jobProcesses * HEADROOM);
    const cgroup = cgroups?.create(launch, { ramBytes: launch.ramLimitBytes, processes });
    return { stamp, cgroup, limits: { processes, openFiles: jobOpenFiles } };
  }

  /** Keeps the process of `weft run` alive when nobody is left who could report the end of the job. */
  #lookUntil(exit: Promise<unknown>): void {
    this.#running += 1;
    this.#look.ref();
    const ended = () => {
      this.#running -= 1;
      if (this.#running === 0) this.#look.unref();
    };
    void exit.then(ended, ended);
  }

  async #watch(launch: Launch): Promise<JobExit> {
    await untilClaimedEnds(launch.folder, this.#closing.signal);
    return this.#exitOf(launch);
  }

  /** Processes left by a lost job are ended before it is retried. */
  #exitOf(launch: Launch): JobExit {
    const record = readableRecord(launch);
    const recorded = parseExit(record);
    const evidence = this.#usage.end(launch, recorded);
    const cause = this.#guard.end(launch);
    this.#guards.cgroups?.remove(launch);
    const group = parseGroup(record);
    if (group !== undefined) this.#remaining.watch(launch, group);
    const because = cause === undefined ? {} : { cause };
    return recorded === undefined
      ? { kind: "lost", ...because }
      : { kind: "exited", exitCode: recorded.exitCode, ...evidence, ...because };
  }

  #watchUse(launch: Launch, wrapperPid: number, isAdopted: boolean): void {
    this.#usage.watch(launch, wrapperPid, isAdopted);
    this.#guard.watch(launch, wrapperPid);
  }

  /** The wrapper of an earlier server's job must be ended with the job. */
  #inspect(launch: Launch): string | undefined {
    const record = readRecord(launch.folder);
    const claim = parseClaim(record);
    if (claim === undefined) return undefined;
    if (claimLives(claim)) {
      this.#wrappers.add(claim.pid, { launch });
      this.#watchUse(launch, claim.pid, true);
    }
    return String(parseGroup(record) ?? claim.pid);
  }

  #scanProcesses(): void {
    this.#wrappers.forgetGone();
    this.#guards.cgroups?.sweep();
    this.#remaining.look();
    // A failed search (the thread has ended) reports nothing; the next one follows soon.
    this.#sampler.look().catch(() => {});
    this.#guard.look().catch(() => {});
  }
}

/** The record of an ended job. An unreadable one counts as missing. */
function readableRecord({ folder }: Launch): string {
  try {
    return readRecord(folder);
  } catch {
    return "";
  }
}

/**
 * Without /proc, jobs are found only by their process groups: a program that moves to another session escapes.
 * `leaders` returns the group leaders started for a run or an attempt.
 */
function groupTable(leaders: (place: JobSelector) => readonly FoundProcess[]): ProcessTable {
  return {
    evidence: "groups",
    find: async (place) => leaders(place).filter(({ pid }) => groupLives(pid)),
    signal: (pid, signal) => sendSignal(-pid, signal),
  };
}

/** Whether a process group still has a member that has not been reaped. */
function groupLives(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}

interface Wrapper {
  readonly launch: Pick<Launch, "runId" | "jobId" | "attempt">;
  /** Called once if the process disappeared without reporting its end. */
  readonly gone?: () => void;
}

/**
 * The wrappers of running jobs. A wrapper is a fork of the launcher, so neither its environment nor its limits identify
 * its job. It must be killed with its job, or it could start the program after everything else is dead.
 */
class WrapperTable {
  readonly #wrappers = new Map<number, Wrapper>();
  readonly #pids = new Map<Wrapper, number>();

  add(pid: number, wrapper: Wrapper): void {
    this.#wrappers.set(pid, wrapper);
    this.#pids.set(wrapper, pid);
  }

  /** The program has reported its end, so another process may get its process id. */
  drop(wrapper: Wrapper): void {
    const pid = this.#pids.get(wrapper);
    if (pid !== undefined) this.#wrappers.delete(pid);
    this.#pids.delete(wrapper);
  }

  /** The live wrappers of a run or an attempt. */
  of(place: JobSelector): readonly FoundProcess[] {
    return this.#wrappersOf(place)
      .filter(([pid]) => processLives(pid))
      .map(([pid, { launch }]) => ({ pid, job: jobName(launch) }));
  }

  /** Drops wrappers that have ended; a killed wrapper could not report its end. */
  forgetGone(): void {
    for (const [pid, wrapper] of this.#wrappers) {
      if (processLives(pid)) continue;
      this.drop(wrapper);
      wrapper.gone?.();
    }
  }

  /** A process table that includes the wrappers. Killing a wrapper kills its process group. */
  with(table: ProcessTable): ProcessTable {
    return {
      evidence: table.evidence,
      find: async (place) => {
        const found = await table.find(place);
        const known = this.of(place);
        const pids = new Set(known.map(({ pid }) => pid));
        return [...known, ...found.filter(({ pid }) => !pids.has(pid)).map((process) => this.#named(process, place))];
      },
      holdsOthers: (pid) => table.holdsOthers?.(pid) === true,
      isEnding: (pid) => table.isEnding?.(pid) === true,
      signal: (pid, signal) => {
        table.signal(signal === "SIGKILL" && this.#wrappers.has(pid) ? -pid : pid, signal);
      },
    };
  }

  /** While its job runs, a process that cleared its environment is identified by its stamp. */
  #named(process: FoundProcess, place: JobSelector): FoundProcess {
    if (process.job !== undefined) return process;
    if (place.job !== undefined) return { ...process, job: jobName(place.job) };
    const owner = this.#wrappersOf(place).find(([, { launch }]) => stampOf(launch.runId, launch) === process.stamp);
    return owner === undefined ? process : { ...process, job: jobName(owner[1].launch) };
  }

  #wrappersOf({ runId, job }: JobSelector): readonly (readonly [number, Wrapper])[] {
    return [...this.#wrappers].filter(
      ([, { launch }]) => launch.runId === runId && (job === undefined || jobName(launch) === jobName(job)),
    );
  }
}
