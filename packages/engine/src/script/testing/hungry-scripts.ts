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

const codes = {
  "typed arrays": "var a = []; for (;;) a.push(new Float64Array(1 << 17).fill(1));",
  "one page at a time": "var a = []; for (;;) a.push(new Uint8Array(60000));",
  resize: `var a = [];
    for (;;) { var b = new ArrayBuffer(1, { maxByteLength: 1 << 21 }); b.resize(1 << 21); new Uint8Array(b).fill(1); a.push(b); }`,
  transfer: "var a = []; for (;;) a.push(new ArrayBuffer(1).transfer(1 << 21));",
  "shared buffers": "var a = []; for (;;) a.push(new SharedArrayBuffer(1 << 21));",
  strings: "var a = []; for (;;) a.push('x'.repeat(1 << 20) + a.length);",
  "regular expressions": "var a = []; for (;;) a.push(new RegExp('(a|' + 'b'.repeat(100000) + a.length + ')'));",
  backtracking: "return /(?:(a)|b)*c/.test('ab'.repeat(1 << 22)) ? 1 : 'x'.repeat(1 << 26);",
  objects: "var a = []; for (;;) a.push({ a: [a.length] });",
  "an error that is caught":
    "var a = []; try { for (;;) a.push(new Uint8Array(1 << 20)); } catch (e) { return a.length; }",
  "a large result": "return 'x'.repeat(12 << 20);",
  "a large error": "throw 'x'.repeat(12 << 20);",
};
const withLibrary = (index: number, loop: string): Hungry => ({
  code: "return a.length;",
  library: [`var n = ${index}, a = []; for (${loop}) a.push(new Uint8Array(1 << 20).fill(1));`],
});
const withInput = (index: number, text: string): Hungry => ({
  code: "return inputs.text.length;",
  variables: { inputs: { index, text } },
});

const SCRIPTS: Readonly<Record<string, (index: number) => Hungry>> = {
  ...Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, () => ({ code })])),
  "a library": (index) => withLibrary(index, ";;"),
  "a large library": (index) => withLibrary(index, "var i = 0; i < 40; i++"),
  "a large input": (index) => withInput(index, LARGE),
  "a medium input": (index) => withInput(index, MEDIUM),
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
