import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { copyFile, cp, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { NewTask } from "./tes-schemas.ts";

type Executor = NewTask["executors"][number];

/**
 * A task in a folder that represents its container: copies files into it, runs the program as a local process, and
 * copies its outputs to their targets. Maps paths of the container to paths of the folder.
 */
export class RunningTask {
  readonly #task: NewTask;
  readonly #root: string;
  #program: ChildProcess | undefined;
  #isStopped = false;

  constructor(task: NewTask, root: string) {
    this.#task = task;
    this.#root = root;
  }

  async stageInputs(): Promise<void> {
    for (const volume of this.#task.volumes ?? []) await mkdir(this.#outside(volume), { recursive: true });
    for (const { path, type } of this.#task.outputs ?? [])
      await mkdir(type === "DIRECTORY" ? this.#outside(path) : dirname(this.#outside(path)), { recursive: true });
    for (const { url, path, type, content } of this.#task.inputs ?? []) {
      const target = this.#outside(path);
      await mkdir(type === "DIRECTORY" ? target : dirname(target), { recursive: true });
      if (content !== undefined && content !== "") await writeFile(target, content);
      else if (type === "DIRECTORY") await cp(pathOf(url ?? ""), target, { recursive: true });
      else await copyFile(pathOf(url ?? ""), target);
    }
  }

  async run(executor: Executor): Promise<number> {
    if (this.#isStopped) return 137;
    const streams = [
      openSync(executor.stdin === undefined ? "/dev/null" : this.#outside(executor.stdin), "r"),
      openSync(this.#outside(executor.stdout ?? "/stdout"), "w"),
      openSync(this.#outside(executor.stderr ?? "/stderr"), "w"),
    ];
    const [program = "", ...args] = executor.command.map((word) => this.#inside(word));
    // TES servers run tasks on other machines: an engine that found the program here by its stamp would end it itself.
    const seen = Object.entries(executor.env ?? {}).filter(([name]) => !/^WEFT_(RUN|JOB)$/.test(name));
    const env = Object.fromEntries(seen.map(([name, value]) => [name, this.#inside(value)]));
    const ended = Promise.withResolvers<number>();
    const cwd = this.#outside(executor.workdir ?? "/");
    const options = { cwd, env: { PATH: process.env["PATH"], ...env }, detached: true };
    this.#program = spawn(program, args, { ...options, stdio: [streams[0], streams[1], streams[2]] });
    this.#program.on("error", () => ended.resolve(127));
    this.#program.on("close", (code) => ended.resolve(code ?? 137));
    for (const stream of streams) closeSync(stream);
    return ended.promise;
  }

  async collectOutputs(): Promise<void> {
    for (const { url, path, type } of this.#task.outputs ?? []) {
      const target = pathOf(url);
      await mkdir(type === "DIRECTORY" ? target : dirname(target), { recursive: true });
      await cp(this.#outside(path), target, { recursive: true });
    }
  }

  /** The program's output on a stream. */
  stream(path: string | undefined): string {
    return path === undefined ? "" : readFileSync(this.#outside(path), "utf8");
  }

  stop(): void {
    this.#isStopped = true;
    const { pid } = this.#program ?? {};
    if (pid === undefined || this.#program?.exitCode !== null) return;
    process.kill(-pid, "SIGKILL");
  }

  #outside(path: string): string {
    return this.#root + path;
  }

  #inside(text: string): string {
    return text === "/tmp"
      ? `${this.#root}/tmp`
      : text.replaceAll(/\/weft\/(?=in|out|streams)/g, `${this.#root}/weft/`);
  }
}

/** Like Funnel, decodes nothing. */
function pathOf(url: string): string {
  return url.replace(/^file:\/\//, "");
}
