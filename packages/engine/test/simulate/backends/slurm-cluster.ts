import type { ProgramEnd, ProgramOptions } from "../../../src/executor/run-program.ts";
import { WORLD } from "../machine/event-loop.ts";
import type { Machine } from "../machine/machine.ts";
import type { FaultRates } from "../world/faults.ts";
import { endLines, queueLines } from "./slurm-lines.ts";
import { SlurmNode } from "./slurm-node.ts";
import { attemptOf, type Programs } from "./programs.ts";

/** A task of an array, as the controller keeps it. */
export interface ClusterTask {
  readonly array: number;
  readonly index: number;
  readonly name: string;
  readonly folders: readonly string[];
  state: string;
  exitCode: number;
  endedMs: number;
  /** The program never ends. */
  hangs: boolean;
  /** Ends the programs of the task; undefined: the task does not run. */
  stop: ((state: string) => void) | undefined;
}

const BUSY = "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n";
const REFUSED = "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n";
/** A controller that restarts lists nothing for a moment, but not repeatedly: Weft relies on this. */
const MAX_EMPTY_LISTS = 2;
/** The time for which squeue lists ended tasks. */
const REMEMBERED_MS = 300_000;

/** A Slurm cluster behind its commands. It outlives the server; its controller may lose answers, and forget tasks. */
export class SlurmCluster {
  readonly #machine: Machine;
  readonly #rates: FaultRates;
  readonly #node: SlurmNode;
  #tasks: ClusterTask[] = [];
  #lastArray = 0;
  /** Number of false empty lists since the last correct one. */
  #emptyLists = 0;
  #free = 4;

  constructor(machine: Machine, programs: Programs, rates: FaultRates) {
    this.#machine = machine;
    this.#rates = rates;
    this.#node = new SlurmNode(machine, programs, rates);
  }

  /** Runs a command for the living server; its answer reaches nobody else. */
  readonly run = (program: string, args: readonly string[], options: ProgramOptions = {}): Promise<ProgramEnd> => {
    const machine = this.#machine;
    const { decisions, loop, process } = machine;
    machine.enter();
    const isDelayed = program === "sbatch" && decisions.happens("slurm.delayed-submit", this.#rates.slurmDelayedSubmit);
    const arrivesMs = decisions.delayMs("slurm.request", 20, 2000) + (isDelayed ? 60_000 : 0);
    const isLost = decisions.happens("slurm.silent", this.#rates.slurmSilent);
    return new Promise((resolve) => {
      if (isLost) {
        loop.after(arrivesMs, () => resolve({ code: 1, stdout: "", stderr: REFUSED }), process);
        return;
      }
      loop.after(
        arrivesMs,
        () => {
          const end = this.#answer(program, args, options);
          loop.after(decisions.delayMs("slurm.answer", 20, 2000), () => resolve(end), process);
        },
        WORLD,
      );
    });
  };

  get isIdle(): boolean {
    return this.#tasks.every(({ stop }) => stop === undefined);
  }

  endHanging(isLeft: (runId: string) => boolean): void {
    for (const task of this.#tasks)
      if (task.hangs && !task.folders.some((folder) => isLeft(attemptOf(folder).runId))) task.stop?.("CANCELLED");
  }

  #answer(program: string, args: readonly string[], { input }: ProgramOptions): ProgramEnd {
    switch (program) {
      case "sbatch":
        return this.#submit(args, Buffer.from(input ?? []).toString("utf8"));
      case "squeue":
        return answered(this.#list(args));
      case "sacct":
        return { code: 1, stdout: "", stderr: "Slurm accounting storage is disabled\n" };
      default:
        this.#cancel(args.filter((arg) => !arg.startsWith("-")));
        return answered("");
    }
  }

  #submit(args: readonly string[], script: string): ProgramEnd {
    const { decisions } = this.#machine;
    const busy = { code: 1, stdout: "", stderr: BUSY };
    if (decisions.happens("slurm.busy", this.#rates.slurmBusy)) return busy;
    const name = args.find((arg) => arg.startsWith("--job-name="))?.slice("--job-name=".length) ?? "";
    const array = ++this.#lastArray;
    for (const [, index = "", words = ""] of script.matchAll(/^ {2}(\d+)\) set -- (.*) ;;$/gm)) {
      const folders = words.split(" ").map((word) => word.replaceAll("'", ""));
      const task = { array, index: Number(index), name, folders, state: "PENDING", exitCode: 0, endedMs: 0 };
      this.#queue({ ...task, hangs: false, stop: undefined });
    }
    return decisions.happens("slurm.lost-answer", this.#rates.slurmLostAnswer) ? busy : answered(`${array}\n`);
  }

  #queue(task: ClusterTask): void {
    const { decisions, loop } = this.#machine;
    this.#tasks.push(task);
    if (decisions.happens("slurm.forgets", this.#rates.slurmForgets)) {
      const forget = () => {
        if (task.state === "PENDING") this.#tasks = this.#tasks.filter((other) => other !== task);
      };
      loop.after(decisions.delayMs("slurm.forgets-after", 2000, 20_000), forget, WORLD);
    }
    const isLate = decisions.happens("slurm.late", this.#rates.slurmLate);
    loop.after(decisions.delayMs("slurm.turn", 3000, isLate ? 90_000 : 6000), () => this.#begin(task), WORLD);
  }

  #begin(task: ClusterTask): void {
    if (task.state !== "PENDING" || !this.#tasks.includes(task)) return;
    if (this.#free === 0) {
      this.#machine.loop.after(2000, () => this.#begin(task), WORLD);
      return;
    }
    this.#free -= 1;
    task.state = "RUNNING";
    const end = (state: string, exitCode: number) => {
      if (task.stop === undefined) return;
      this.#free += 1;
      Object.assign(task, { state, exitCode, endedMs: this.#machine.loop.nowMs, stop: undefined });
    };
    task.stop = this.#node.run(task, end);
  }

  #list(args: readonly string[]): string {
    const isAll = args.includes("--states=all");
    const names = args
      .find((arg) => arg.startsWith("--name="))
      ?.slice("--name=".length)
      .split(",");
    const { decisions, loop } = this.#machine;
    if (
      !isAll &&
      this.#emptyLists < MAX_EMPTY_LISTS &&
      decisions.happens("slurm.empty-queue", this.#rates.slurmEmptyQueue)
    ) {
      this.#emptyLists += 1;
      return "";
    }
    if (!isAll) this.#emptyLists = 0;
    const open = this.#tasks.filter(({ state }) => state === "PENDING" || state === "RUNNING");
    if (!isAll) return queueLines(open);
    const known = this.#tasks.filter(({ endedMs }) => endedMs === 0 || loop.nowMs - endedMs < REMEMBERED_MS);
    return endLines(known.filter(({ name }) => names?.includes(name) !== false));
  }

  #cancel(ids: readonly string[]): void {
    if (this.#machine.decisions.happens("slurm.lost-cancel", this.#rates.slurmLostCancel)) return;
    for (const task of this.#tasks.filter(({ array, index }) => ids.includes(`${array}_${index}`))) {
      if (task.state === "PENDING") Object.assign(task, { state: "CANCELLED", endedMs: this.#machine.loop.nowMs });
      else task.stop?.("CANCELLED");
    }
  }
}

function answered(stdout: string): ProgramEnd {
  return { code: 0, stdout, stderr: "" };
}
