import * as realCrypto from "node:crypto";
import * as realFs from "node:fs";
import * as realFsPromises from "node:fs/promises";
import { registerHooks } from "node:module";
import { performance as realPerformance } from "node:perf_hooks";
import { currentMachine } from "./current.ts";
import { fs, promises } from "./node-fs.ts";
import { globalTimers, timeoutSignal, timersPromises } from "./node-timers.ts";

type Exports = Readonly<Record<string, unknown>>;

/** Modules of Node that the engine gets instead of the real ones. */
const SIMULATED: Readonly<Record<string, Exports>> = {
  "node:fs": { ...refusing(realFs, "node:fs"), ...fs, constants: realFs.constants },
  "node:fs/promises": { ...refusing(realFsPromises, "node:fs/promises"), ...promises },
  "node:timers/promises": timersPromises,
  "node:perf_hooks": { performance: { now: () => currentMachine().loop.nowMs } },
  "node:worker_threads": {
    ...{ Worker: refusal("Worker"), MessageChannel: refusal("MessageChannel") },
    ...{ parentPort: null, workerData: null },
  },
  "node:child_process": { spawn: refusal("spawn"), execFile: refusal("execFile"), spawnSync: refusal("spawnSync") },
  // File systems need not report changes.
  chokidar: { watch: () => silentWatcher },
  "node:crypto": {
    ...realCrypto,
    randomUUID: () => uuid(),
    randomInt: (limit: number) => Math.floor(currentMachine().decisions.fraction("random.int") * limit),
    randomBytes: refusal("randomBytes"),
  },
};

const silentWatcher = {
  on: () => silentWatcher,
  close: () => Promise.resolve(),
};

const KEY = Symbol.for("weft.simulated");
const PREFIX = "simulated:";
/** The sources under test. Everything else, such as the simulation itself, gets the real modules. */
const UNDER_TEST = /\/packages\/(?:engine|cwl|shared)\/src\//;

/**
 * Replaces what the sources under test can reach of the outside world, in this thread. Call it before any of them is
 * imported, and only in a thread that does nothing else.
 */
export function installSimulatedNode(): void {
  Object.defineProperty(globalThis, KEY, { value: SIMULATED });
  registerHooks({
    resolve(specifier, context, next) {
      if (!(specifier in SIMULATED) || !UNDER_TEST.test(context.parentURL ?? "")) return next(specifier, context);
      return { url: `${PREFIX}${specifier}`, shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith(PREFIX)) return next(url, context);
      return { format: "module", source: sourceOf(url.slice(PREFIX.length)), shortCircuit: true };
    },
  });
  Object.assign(globalThis, globalTimers);
  Date.now = () => currentMachine().wallMs;
  realPerformance.now = () => currentMachine().loop.nowMs;
  Math.random = () => currentMachine().decisions.fraction("random.math");
  AbortSignal.timeout = timeoutSignal;
  Object.defineProperty(crypto, "getRandomValues", {
    value: (bytes: Uint8Array) =>
      bytes.map((_, at) => (bytes[at] = currentMachine().decisions.between("random.bytes", 0, 255))),
  });
}

function sourceOf(specifier: string): string {
  const names = Object.keys(SIMULATED[specifier] ?? {}).filter((name) => name !== "default");
  const from = `globalThis[Symbol.for("weft.simulated")][${JSON.stringify(specifier)}]`;
  return `const module = ${from};\nexport const { ${names.join(", ")} } = module;\nexport default module;\n`;
}

/** Real I/O would make histories different from run to run. */
function refusing(module: Exports, specifier: string): Exports {
  return Object.fromEntries(Object.keys(module).map((name) => [name, refusal(`${specifier}.${name}`)]));
}

function refusal(name: string) {
  return function notSimulated(): never {
    throw new Error(`${name} is not simulated`);
  };
}

function uuid(): string {
  const { decisions } = currentMachine();
  const digits = Array.from({ length: 4 }, () =>
    decisions.between("random.uuid", 0, 0xffffffff).toString(16).padStart(8, "0"),
  ).join("");
  return [8, 13, 18, 23].reduce((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, digits);
}
