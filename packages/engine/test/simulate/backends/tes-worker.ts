import { fileURLToPath } from "node:url";
import type { TaskDocument } from "../../../src/executor/tes/task-document.ts";
import { WORLD } from "../machine/event-loop.ts";
import type { Machine } from "../machine/machine.ts";
import type { FaultRates } from "../world/faults.ts";
import { ForeignFiles } from "./foreign-files.ts";
import { printed, type Programs } from "./programs.ts";
import type { ServiceTask } from "./tes-service.ts";

/** Runs tasks of a TES server: brings inputs, runs the program, and puts outputs where the document says. */
export class TesWorker {
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

  /** Returns how to cancel it. */
  run(task: ServiceTask, ended: (state: string, exitCode: number | undefined) => void): () => void {
    const { decisions, loop } = this.#machine;
    const { document, isStray } = task;
    const [runId = "", rest = ""] = document.name.split("/");
    const at = rest.lastIndexOf("@");
    const attempt = { runId, jobId: rest.slice(0, at), attempt: Number(rest.slice(at + 1)) };
    const behavior = this.#programs.behave();
    const execution = this.#programs.begin({ ...attempt, where: "tes" }, isStray);
    task.execution = execution;
    task.hangs = behavior.hangs;
    const finish = (state: string, exitCode: number | undefined) => {
      if (!execution.isLive) return;
      this.#programs.end(execution);
      // On a full disk its outputs do not arrive.
      execution.recorded = this.#machine.volume.isFull ? undefined : exitCode;
      // The task ends after the caller has set `stop`.
      loop.after(0, () => ended(state, exitCode), WORLD);
    };
    const complete = () => {
      if (!execution.isLive) return;
      const isMissing = decisions.happens("tes.misreports", this.#rates.tesMisreports);
      this.#deliver(document, () => (execution.recorded = undefined));
      finish(isMissing ? "EXECUTOR_ERROR" : "COMPLETE", isMissing ? undefined : behavior.exitCode);
    };
    if (!behavior.hangs) loop.after(behavior.durationMs, complete, WORLD);
    return () => finish("CANCELED", undefined);
  }

  /** The streams arrive last. */
  #deliver(document: TaskDocument, lost: () => void): void {
    const { decisions, loop } = this.#machine;
    const [executor] = document.executors;
    const inputs = new Map(document.inputs.map((input) => [input.path, input]));
    const contentOf = (word: string) => {
      const input = inputs.get(word);
      if (input === undefined) return undefined;
      return "content" in input ? input.content : this.#files.text(pathOf(input.url));
    };
    const text = printed(executor.command.slice(1), contentOf);
    const isLate = decisions.happens("tes.late-files", this.#rates.tesLateFiles);
    const lateMs = isLate ? decisions.delayMs("tes.late-by", 5000, 20_000) : 0;
    const write = () => {
      // Data that arrives late on a full disk is lost, although the task has succeeded.
      if (this.#machine.volume.isFull) lost();
      this.#put(document, executor.stdout, text);
      this.#put(document, executor.stderr, "");
    };
    if (lateMs === 0) write();
    else loop.after(lateMs, write, WORLD);
  }

  #put({ outputs }: TaskDocument, path: string, text: string): void {
    const file = outputs.find((output) => output.type === "FILE" && output.path === path);
    const folder = outputs.find((output) => output.type === "DIRECTORY" && path.startsWith(`${output.path}/`));
    if (file !== undefined) this.#write(pathOf(file.url), text);
    else if (folder !== undefined) {
      this.#files.folder(pathOf(folder.url));
      this.#write(`${pathOf(folder.url)}${path.slice(folder.path.length)}`, text);
    }
  }

  #write(path: string, text: string): void {
    this.#files.write(path, text);
    this.#files.sync(path);
  }
}

function pathOf(url: string): string {
  return url.startsWith("file:") ? fileURLToPath(url) : url;
}
