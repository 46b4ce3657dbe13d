import { Readable } from "node:stream";
import { MessageChannel, parentPort, Worker, type MessagePort, type WorkerOptions } from "node:worker_threads";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { Refusal, type ProblemCode } from "@weft/shared/records/refusal.ts";
import { CallerGate } from "./caller-gate.ts";

/** The functions of a thread, by name. Arguments and results are copied; a stream is transferred while it is read. */
export type Tasks = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface ThreadPoolOptions extends Pick<WorkerOptions, "workerData" | "resourceLimits" | "execArgv"> {
  readonly script: URL;
  /** The maximum number of concurrent threads. */
  readonly width: number;
  /** Called with the reason when a thread fails. */
  readonly failed?: (error: unknown) => void;
}

export interface Question {
  /** Questions of one queue are answered one at a time, so that one caller's long work does not delay others. */
  readonly queue: string;
  /** The caller, as the argument of the thread's `open`. */
  readonly context?: unknown;
  readonly task: string;
  readonly args: readonly unknown[];
  /** Ends the thread after a time, and rejects with an error. */
  readonly limit?: { readonly ms: number; readonly error: () => Error } | undefined;
}

/** A question as the thread gets it. The port belongs to it; closing it on either side ends it. */
type Request = Pick<Question, "context" | "task" | "args"> & { readonly port: MessagePort };

type Answer = { readonly value: unknown } | { readonly isStream: true } | Failure;
type Block = { readonly block: Uint8Array<ArrayBuffer> | undefined } | Failure;

/** `code` is that of a refusal; undefined: an internal error. */
interface Failure {
  readonly failure: {
    readonly code: ProblemCode | undefined;
    readonly message: string;
    readonly stack: string | undefined;
    readonly errors: readonly ProblemError[];
  };
}

/**
 * Threads for work that would delay the requests of others. Each does one piece of work at a time. A thread starts when it is
 * first needed, keeps the process alive only during a question, and the next question replaces one that failed.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #gate: CallerGate;
  readonly #running = new Set<Worker>();
  readonly #idle = new Set<Worker>();

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#gate = new CallerGate(options.width);
  }

  ask(question: Question): Promise<unknown> {
    return this.#gate.pass(question.queue, () => this.#ask(question));
  }

  /** Ends the threads. Questions that wait for them fail. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((worker) => worker.terminate()));
  }

  async #ask({ context, task, args, limit }: Question): Promise<unknown> {
    const { port1: port, port2 } = new MessageChannel();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    port.once("message", resolve);
    port.once("close", () => reject(broken()));
    const worker = this.#take();
    worker.postMessage({ context, task, args, port: port2 } satisfies Request, [port2]);
    const late = () => {
      if (limit !== undefined) reject(limit.error());
      this.#running.delete(worker);
      void worker.terminate();
    };
    const timer = limit === undefined ? undefined : setTimeout(late, limit.ms);
    const answer = await promise.finally(() => {
      clearTimeout(timer);
      if (this.#running.has(worker)) this.#idle.add(worker);
    });
    if ("isStream" in answer) return readBlocks(port);
    port.close();
    if ("failure" in answer) throw errorOf(answer);
    return answer.value;
  }

  #take(): Worker {
    const [idle] = this.#idle;
    if (idle === undefined) return this.#start();
    this.#idle.delete(idle);
    return idle;
  }

  #start(): Worker {
    const { script, failed, width: _width, ...options } = this.#options;
    const worker = new Worker(script, options);
    this.#running.add(worker);
    worker.unref();
    const forget = () => {
      this.#running.delete(worker);
      this.#idle.delete(worker);
    };
    // The thread's ports close with it, which rejects its pending questions.
    worker.once("error", (error: unknown) => {
      forget();
      failed?.(error);
    });
    worker.once("exit", forget);
    return worker;
  }
}

function readBlocks(port: MessagePort): Readable {
  const content = new Readable({
    read: () => port.postMessage("more"),
    destroy: (error, done) => {
      port.close();
      done(error);
    },
  });
  port.on("message", (answer: Block) => {
    if ("failure" in answer) content.destroy(errorOf(answer));
    else content.push(answer.block ?? null);
  });
  port.once("close", () => {
    if (!content.readableEnded && !content.destroyed) content.destroy(broken());
  });
  return content;
}

function errorOf({ failure: { code, message, stack, errors } }: Failure): Error {
  if (code !== undefined) return new Refusal(code, message, { errors });
  return Object.assign(new Error(message), stack === undefined ? {} : { stack });
}

function broken(): Error {
  return new Error("a thread ended before it answered");
}

const BLOCK_BYTES = 256 * 1024;

/** Called in the thread: answers questions with the tasks that `open` returns for the context of each question. */
export function serveTasks(open: (context: never) => Tasks | Promise<Tasks>): void {
  parentPort?.on("message", (message: Request | object) => {
    // Node's watch mode also sends messages through a worker's port.
    if ("task" in message) void answer(message, open);
  });
}

async function answer({ context, task, args, port }: Request, open: Parameters<typeof serveTasks>[0]): Promise<void> {
  try {
    // The server sends arguments that fit `open` and the task: the asking side checks both types.
    const tasks = await open(context as never);
    const value = await tasks[task]?.(...(args as never[]));
    if (value instanceof Readable) sendBlocks(value, port);
    else port.postMessage({ value } satisfies Answer, buffersIn(value));
  } catch (error) {
    port.postMessage(failureOf(error));
  }
}

/** The buffers of a value, or of its fields, which are moved instead of copied. */
function buffersIn(value: unknown): ArrayBuffer[] {
  const parts =
    typeof value !== "object" || value === null || ArrayBuffer.isView(value) ? [value] : Object.values(value);
  return parts.flat().flatMap((part) => {
    if (!ArrayBuffer.isView(part) || !(part.buffer instanceof ArrayBuffer)) return [];
    // A short Buffer shares its memory with others.
    return part.byteLength === part.buffer.byteLength ? [part.buffer] : [];
  });
}

/** Sends one block for each message from the other side, which sends one when it can take more. */
function sendBlocks(content: Readable, port: MessagePort): void {
  const blocks = blocksOf(content);
  port.once("close", () => content.destroy());
  port.on("message", () => void sendNext(blocks, port));
  port.postMessage({ isStream: true } satisfies Answer);
}

async function sendNext(blocks: AsyncGenerator<Uint8Array<ArrayBuffer>>, port: MessagePort): Promise<void> {
  try {
    const { value: block } = await blocks.next();
    port.postMessage({ block } satisfies Block, block === undefined ? [] : [block.buffer]);
  } catch (error) {
    port.postMessage(failureOf(error));
  }
}

/** Splits the bytes into blocks of one size, each with its own buffer, so that it can be moved. */
async function* blocksOf(content: Readable): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  let block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  // Without an encoding, a stream yields buffers.
  for await (const chunk of content as AsyncIterable<Uint8Array>)
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + BLOCK_BYTES - filled);
      block.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < BLOCK_BYTES) continue;
      yield block;
      block = new Uint8Array(BLOCK_BYTES);
      filled = 0;
    }
  if (filled > 0) yield block.slice(0, filled);
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error))
    return { failure: { code: undefined, message: String(error), stack: undefined, errors: [] } };
  const { message, stack } = error;
  const { code, errors } = error instanceof Refusal ? error : { code: undefined, errors: [] };
  return { failure: { code, message, stack, errors } };
}
