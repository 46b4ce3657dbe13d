import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Runs a command of `packages/tooling/reliability` until it ends. */
export function command(
  name: string,
  ...args: string[]
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const script = fileURLToPath(new URL(`../reliability/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (printed += text.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, printed })));
}
