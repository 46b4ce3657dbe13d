/**
 * A process that evaluates scripts that need more memory than allowed: those named as arguments, as often as named,
 * concurrently. It prints the result of each, and its own peak memory. It exits before it harms the machine.
 */
import { setInterval } from "node:timers";
import type { ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import { QuickJsEngine } from "../quickjs-engine.ts";

export interface HungryReport {
  /** `value`, or the message of the failure. */
  readonly ends: readonly string[];
  readonly maxRssMib: number;
}

const MIB = 1024 * 1024;
const MAX_MIB = 1500;
const LARGE = "x".repeat(40 * MIB);
const MEDIUM = "x".repeat(8 * MIB);

type Hungry = Pick<ScriptRequest, "code"> & Partial<Pick<ScriptRequest, "library" | "variables">>;

const SCRIPTS: Readonly<Record<string, (index: number) => Hungry>> = {
  "typed arrays": () => ({ code: "var a = []; for (;;) a.push(new Float64Array(1 << 17).fill(1));" }),
  "one page at a time": () => ({ code: "var a = []; for (;;) a.push(new Uint8Array(60000));" }),
  resize: () => ({
    code: `var a = [];
      for (;;) { var b = new ArrayBuffer(1, { maxByteLength: 1 << 21 }); b.resize(1 << 21); new Uint8Array(b).fill(1); a.push(b); }`,
  }),
  transfer: () => ({ code: "var a = []; for (;;) a.push(new ArrayBuffer(1).transfer(1 << 21));" }),
  "shared buffers": () => ({ code: "var a = []; for (;;) a.push(new SharedArrayBuffer(1 << 21));" }),
  strings: () => ({ code: "var a = []; for (;;) a.push('x'.repeat(1 << 20) + a.length);" }),
  "regular expressions": () => ({
    code: "var a = []; for (;;) a.push(new RegExp('(a|' + 'b'.repeat(100000) + a.length + ')'));",
  }),
  backtracking: () => ({ code: "return /(?:(a)|b)*c/.test('ab'.repeat(1 << 22)) ? 1 : 'x'.repeat(1 << 26);" }),
  objects: () => ({ code: "var a = []; for (;;) a.push({ a: [a.length] });" }),
  "an error that is caught": () => ({
    code: "var a = []; try { for (;;) a.push(new Uint8Array(1 << 20)); } catch (e) { return a.length; }",
  }),
  "a library": (index) => ({
    code: "return a.length;",
    library: [`var n = ${index}, a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1));`],
  }),
  "a large library": (index) => ({
    code: "return a.length;",
    library: [`var n = ${index}, a = []; for (var i = 0; i < 40; i++) a.push(new Uint8Array(1 << 20).fill(1));`],
  }),
  "a large input": (index) => ({
    code: "return inputs.text.length;",
    variables: { inputs: { index, text: LARGE } },
  }),
  "a medium input": (index) => ({
    code: "return inputs.text.length;",
    variables: { inputs: { index, text: MEDIUM } },
  }),
  "a large result": () => ({ code: "return 'x'.repeat(12 << 20);" }),
  "a large error": () => ({ code: "throw 'x'.repeat(12 << 20);" }),
};

export const HUNGRY = Object.keys(SCRIPTS);

if (process.argv[1] === import.meta.filename) {
  const guard = setInterval(() => {
    if (process.memoryUsage.rss() > MAX_MIB * MIB) stop([`stopped at ${MAX_MIB} MiB`]);
  }, 10);
  const sandbox = new QuickJsEngine(20_000);
  const requests = process.argv.slice(2).map((name, index) => SCRIPTS[name]?.(index) ?? { code: "" });
  const ends = await Promise.all(
    requests.map((request) =>
      sandbox.run({ form: "body", library: [], variables: {}, ...request }).then(
        () => "value",
        (error: unknown) => (error as Error).message,
      ),
    ),
  );
  await sandbox.close();
  clearInterval(guard);
  stop(ends);
}

function stop(ends: readonly string[]): never {
  const report: HungryReport = { ends, maxRssMib: Math.round(process.resourceUsage().maxRSS / 1024) };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  process.exit(0);
}
