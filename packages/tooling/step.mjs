// Commands that run at the same time.
import { spawn } from "node:child_process";
import { startEnvironment } from "./build.mjs";
import { ROOT } from "./install.mjs";

/** Whether a command succeeds. Its output appears immediately if it is `live`, otherwise below its name when it finishes. */
export async function succeeds({ name, command, args, live = false }) {
  const startMs = performance.now();
  const stdio = live ? "inherit" : ["ignore", "pipe", "pipe"];
  const child = spawn(command, args, { cwd: ROOT, env: startEnvironment(), stdio });
  const chunks = [];
  child.stdout?.on("data", (chunk) => chunks.push(chunk));
  child.stderr?.on("data", (chunk) => chunks.push(chunk));
  const code = await new Promise((resolve) => child.once("error", resolve).once("close", resolve));
  console.log(`${name} (${((performance.now() - startMs) / 1000).toFixed(0)} s)`);
  process.stdout.write(Buffer.concat(chunks));
  return code === 0;
}
