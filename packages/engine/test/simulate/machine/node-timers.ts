import { currentMachine } from "./current.ts";
import type { Timer } from "./event-loop.ts";

interface PauseOptions {
  readonly signal?: AbortSignal;
}

/** Like the result of Node's `setTimeout`. */
class TimerHandle {
  readonly timer: Timer;

  constructor(timer: Timer) {
    this.timer = timer;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

function schedule(act: () => void, delayMs: number): TimerHandle {
  const machine = currentMachine();
  machine.enter();
  return new TimerHandle(machine.loop.after(delayMs, act, machine.process));
}

function cancel(handle: unknown): void {
  if (handle instanceof TimerHandle) handle.timer.isCanceled = true;
}

/** A process that has ended waits forever: its later actions never happen. */
function pause<Value>(delayMs: number, value?: Value, { signal }: PauseOptions = {}): Promise<Value | undefined> {
  if (!currentMachine().process.isAlive) return new Promise(() => {});
  if (signal?.aborted === true) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const handle = schedule(() => {
      signal?.removeEventListener("abort", stop);
      resolve(value);
    }, delayMs);
    const stop = () => {
      cancel(handle);
      if (signal !== undefined) reject(abortError(signal));
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function abortError(signal: AbortSignal): Error {
  return Object.assign(new Error("The operation was aborted", { cause: signal.reason }), {
    name: "AbortError",
    code: "ABORT_ERR",
  });
}

/** `node:timers/promises`. */
export const timersPromises = {
  setTimeout: (delayMs: number, value?: unknown, options?: PauseOptions) => pause(delayMs, value, options),
  setImmediate: (value?: unknown, options?: PauseOptions) => pause(0, value, options),
};

/** Global functions in virtual time. */
export const globalTimers = {
  setTimeout: (act: (...values: unknown[]) => void, delayMs = 0, ...values: unknown[]) =>
    schedule(() => act(...values), delayMs),
  setInterval: (act: () => void, delayMs: number) => repeat(act, delayMs),
  setImmediate: (act: (...values: unknown[]) => void, ...values: unknown[]) => schedule(() => act(...values), 0),
  clearTimeout: cancel,
  clearInterval: cancel,
  clearImmediate: cancel,
};

function repeat(act: () => void, delayMs: number): TimerHandle {
  const state = { isCanceled: false };
  const again = () => {
    if (state.isCanceled) return;
    act();
    schedule(again, delayMs);
  };
  const first = schedule(again, delayMs);
  Object.defineProperty(first.timer, "isCanceled", {
    get: () => state.isCanceled,
    set: (value: boolean) => {
      state.isCanceled = value;
    },
  });
  return first;
}

const TIMED_OUT = new DOMException("The operation timed out", "TimeoutError");

export function timeoutSignal(delayMs: number): AbortSignal {
  const controller = new AbortController();
  schedule(() => controller.abort(TIMED_OUT), delayMs);
  return controller.signal;
}
