import { parentPort, Worker, workerData } from "node:worker_threads";
import { Refusal } from "@weft/shared/records/refusal.ts";

export interface OwnThread<Question, Answer> {
  readonly script: URL;
  /** The argument of the task, which is copied. */
  readonly input: unknown;
  readonly heapMb: number;
  /** The time in milliseconds after which the thread is ended. */
  readonly maxWaitMs?: number;
  /** Handles a question of the thread. Rejects: the thread ends, and the work fails with that error. */
  readonly answer?: (question: Question) => Promise<Answer>;
  /** The error for work that takes too much time or memory. */
  readonly tooCostly: (why: string) => Error;
}

const STACK_MB = 4;

type FromThread<Question, Result> = { readonly question: Question } | { readonly result: Result };

/**
 * Runs one task in a separate thread, because input from outside determines its time and memory. Meanwhile, the server
 * answers other requests, and it ends the thread if the task exceeds its limits.
 */
export async function inOwnThread<Result, Question = never, Answer = never>(
  options: OwnThread<Question, Answer>,
): Promise<Result> {
  const { script, input, heapMb, maxWaitMs, answer, tooCostly } = options;
  const worker = new Worker(script, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: STACK_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const late = () => reject(tooCostly(`it takes longer than ${(maxWaitMs ?? 0) / 1000} s`));
  const timer = maxWaitMs === undefined ? undefined : setTimeout(late, maxWaitMs);
  worker.on("message", (message: FromThread<Question, Result>) => {
    if ("result" in message) resolve(message.result);
    else if (answer !== undefined) answer(message.question).then((reply) => worker.postMessage({ reply }), reject);
  });
  worker.once("error", (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY" || error instanceof RangeError;
    reject(isMemory ? tooCostly("it takes too much memory") : fromThread(error));
  });
  worker.once("exit", () => reject(new Error("a thread ended before it had a result")));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Errors of a thread arrive with their fields, but without their class. */
function fromThread(error: Error): Error {
  if (error.name !== "Refusal") return error;
  const { code, message, errors } = error as Refusal; // `name` says so
  return new Refusal(code, message, { errors });
}

/** Called in the thread: does its task. The server gets the error of a task, and a Refusal as a Refusal. */
export async function inThread(task: (input: never) => unknown): Promise<void> {
  // The script of a thread names the type that its starter sends.
  parentPort?.postMessage({ result: await task(workerData as never) });
}

/** Called in the thread: sends a question to the server, one at a time. */
export function askServer(question: unknown): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  parentPort?.once("message", ({ reply }: { readonly reply: unknown }) => resolve(reply));
  parentPort?.postMessage({ question });
  return promise;
}
