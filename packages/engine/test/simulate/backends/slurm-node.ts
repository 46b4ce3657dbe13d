import { FOLDER_NOT_FOUND } from "../../../src/executor/slurm/sbatch-request.ts";
import { WORLD } from "../machine/event-loop.ts";
import type { Machine } from "../machine/machine.ts";
import type { FaultRates } from "../world/faults.ts";
import { ForeignFiles } from "./foreign-files.ts";
import { attemptOf, printed, type Execution, type Programs } from "./programs.ts";
import type { ClusterTask } from "./slurm-cluster.ts";

interface NodeJob {
  readonly task: ClusterTask;
  readonly folder: string;
  /** The text of its launch file. */
  readonly launch: string;
}

type EndTask = (state: string, exitCode: number) => void;

/** The script that Weft submits, as it runs on a node: it claims each folder, runs the program, records the exit. */
export class SlurmNode {
  readonly #machine: Machine;
  readonly #programs: Programs;
  readonly #rates: FaultRates;
  readonly #files: ForeignFiles;

  constructor(machine: Machine, programs: Programs, rates: FaultRates) {
    this.#machine = machine;
    this.#programs = programs;
    this.#rates = rates;
    this.#files = new ForeignFiles(machine);
  }

  /** Returns how to stop it. */
  run(task: ClusterTask, endTask: EndTask): (state: string) => void {
    const state = { isOver: false, kill: undefined as ((recorded: boolean) => void) | undefined };
    const end: EndTask = (how, exitCode) => {
      if (state.isOver) return;
      state.isOver = true;
      // The task ends after the caller has set `stop`.
      this.#machine.loop.after(0, () => endTask(how, exitCode), WORLD);
    };
    const next = (at: number, missing: number): void => {
      const folder = task.folders[at];
      if (state.isOver) return;
      if (folder === undefined) return end(missing === 0 ? "COMPLETED" : "FAILED", missing);
      const record = `${folder}/record`;
      const launch = this.#files.text(`${folder}/launch`) ?? "";
      if (!this.#files.has(record) && !launch.endsWith("\0end=\0")) return next(at + 1, FOLDER_NOT_FOUND);
      if (this.#files.claim(record) !== undefined) return next(at + 1, missing);
      this.#files.append(record, `slurm ${task.array}_${task.index} n1\npid 7\nboot n1\nstat 7\n`);
      this.#files.sync(record);
      state.kill = this.#program({ task, folder, launch }, () => next(at + 1, missing));
    };
    next(0, 0);
    if (this.#machine.decisions.happens("slurm.node-fails", this.#rates.slurmNodeFails)) {
      const fail = () => {
        state.kill?.(false);
        end("NODE_FAIL", 0);
      };
      this.#machine.loop.after(this.#machine.decisions.delayMs("slurm.node-fails-after", 3000, 20_000), fail, WORLD);
    }
    return (how) => {
      state.kill?.(true);
      end(how, 0);
    };
  }

  /** Runs the program of a folder; returns how to end it, with or without a record of its exit. */
  #program({ task, folder, launch }: NodeJob, ended: () => void): (recorded: boolean) => void {
    const { loop } = this.#machine;
    const behavior = this.#programs.behave();
    task.hangs = behavior.hangs;
    const execution = this.#programs.begin({ ...attemptOf(folder), where: "slurm" });
    const finish = (exitCode: number | undefined) => {
      if (!execution.isLive) return;
      this.#programs.end(execution);
      if (exitCode !== undefined) this.#record(folder, exitCode, execution);
      ended();
    };
    const succeed = () => finish(this.#print(launch) ? behavior.exitCode : 1);
    if (!behavior.hangs) loop.after(behavior.durationMs, succeed, WORLD);
    return (recorded) => finish(recorded ? 143 : undefined);
  }

  #record(folder: string, exitCode: number, execution: Execution): void {
    const record = `${folder}/record`;
    if (this.#files.append(record, `exit ${exitCode}\n`) === undefined) execution.recorded = exitCode;
    this.#files.sync(record);
  }

  #print(launch: string): boolean {
    const words = valuesOf("arg", launch);
    const [out] = valuesOf("out", launch);
    const [err] = valuesOf("err", launch);
    if (out === undefined || err === undefined) return false;
    const text = printed(words.slice(1), (word) => (word.startsWith("/") ? this.#files.text(word) : undefined));
    const isWhole = this.#files.write(out, text) === undefined && this.#files.write(err, "") === undefined;
    this.#files.sync(out, err);
    return isWhole;
  }
}

/** The values of all fields of a launch file with this key. */
function valuesOf(key: string, launch: string): readonly string[] {
  return launch.split("\0").flatMap((field) => (field.startsWith(`${key}=`) ? [field.slice(key.length + 1)] : []));
}
