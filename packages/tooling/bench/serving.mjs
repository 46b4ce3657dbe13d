import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { join } from "node:path";
import { pinnedNode } from "../build.mjs";
import { ROOT } from "../install.mjs";
import { adopting } from "./process-tree.mjs";

/** The script that Node runs as `weft`. */
const SOURCES = ["--disable-proto=delete", join(ROOT, "packages/cli/src/main.ts")];

/**
 * A separate server, and the benchmark's requests to it. Its process is the server itself, without the launcher; with
 * `adopt`, it is the parent of the server, which adopts orphans of the server's jobs, so that their CPU time counts.
 */
export async function startServer(args, { adopt = false, weft = SOURCES } = {}) {
  const server = await startListening([...weft, "serve", "--port", "0", ...args], adopt ? adopting() : []);
  return { ...server, runToEnd: (body, options) => runToEnd(server.address, body, options) };
}

/** Starts a Node program that prints its address; `before`: the command that starts Node. */
export async function startListening(args, before = []) {
  const [program, ...rest] = [...before, pinnedNode(), ...args];
  const reports = before.length > 0 ? ["pipe"] : [];
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe", ...reports] });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors = (errors + chunk).slice(-2000)));
  const address = await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      const found = /listening on (\S+)/.exec(String(chunk))?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("close", () => reject(new Error(`the server did not start: ${errors}`)));
  });
  return {
    address,
    pid: child.pid,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function runToEnd(address, body, { askEveryMs = 100 } = {}) {
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  const created = await ask(`${address}/api/runs`, { method: "POST", headers, body: JSON.stringify(body) });
  const run = await created.json();
  if (created.status !== 201) throw new Error(`the run was refused: ${JSON.stringify(run)}`);
  for (;;) {
    const { state } = await (await ask(`${address}/api/runs/${run.run_id}/status`)).json();
    if (state === "COMPLETE") return run;
    if (/ERROR|CANCELED/.test(state)) throw new Error(`the run ended as ${state}`);
    await pause(askEveryMs);
  }
}

/** Retries a repeatable request, because on a busy machine the server sometimes closes an idle connection at that moment. */
export async function ask(url, init, attempts = 5) {
  return fetch(url, init).catch((error) => {
    if (attempts === 1) throw error;
    return ask(url, init, attempts - 1);
  });
}

/** User and system time of a process, in milliseconds, with the kernel's resolution of 10 ms; 0 without /proc. */
export function processorMs(pid) {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return 0;
  const fields = readFileSync(stat, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
