import type { Decisions } from "./decisions.ts";
import { EventLoop, type Owner } from "./event-loop.ts";
import { Files } from "./files.ts";
import { Volume } from "./volume.ts";

/** Thrown by every call of a process that has been killed, so that nothing it still wants to do happens. */
export class ProcessKilled extends Error {
  constructor() {
    super("the simulated process was killed");
  }
}

/** One life of the server. */
export class ServerProcess implements Owner {
  isAlive = true;
  /** System calls so far. */
  calls = 0;
  /** The process is killed at this call. */
  killAtCall = Number.POSITIVE_INFINITY;
  mayBeKilled = true;
}

/** The world of a process: a clock, a disk, and nothing else. One server at a time runs on it. */
export class Machine {
  readonly loop = new EventLoop();
  readonly volume = new Volume(() => this.loop.nowMs);
  readonly decisions: Decisions;
  process = new ServerProcess();
  files = this.#newFiles();
  /** How far the wall clock has been set. */
  wallOffsetMs = 0;
  boot = 1;
  /** The content of files in /proc. */
  proc: (path: string) => string | undefined = () => undefined;
  /** Called when the running process reaches the call at which it is to be killed. */
  onKilled: () => void = () => {};

  constructor(decisions: Decisions) {
    this.decisions = decisions;
  }

  /** A new process, once the last one is gone. */
  startProcess(): ServerProcess {
    this.process = new ServerProcess();
    this.files = this.#newFiles();
    return this.process;
  }

  /** Every system call begins and ends with this. A process may be killed at each of these moments. */
  enter(): void {
    const { process } = this;
    if (!process.isAlive) throw new ProcessKilled();
    process.calls += 1;
    if (process.calls < process.killAtCall || !process.mayBeKilled) return;
    this.onKilled();
    throw new ProcessKilled();
  }

  call<Value>(act: () => Value): Value {
    this.enter();
    const value = act();
    this.enter();
    return value;
  }

  /** A call that a thread makes: it happens a little later, unless the process is gone by then. */
  callLater<Value>(act: () => Value): Promise<Value> {
    this.enter();
    const { process } = this;
    return new Promise((resolve, reject) => {
      const delayMs = this.decisions.fraction("call.delay") * 0.2;
      const finish = () => {
        try {
          resolve(this.call(act));
        } catch (error) {
          if (process.isAlive) reject(error);
        }
      };
      this.loop.after(delayMs, finish, process);
    });
  }

  #newFiles(): Files {
    return new Files(this.volume, (path) => this.proc(path));
  }

  get wallMs(): number {
    return EPOCH_MS + this.wallOffsetMs + Math.floor(this.loop.nowMs);
  }
}

const EPOCH_MS = Date.UTC(2030, 0, 1);
