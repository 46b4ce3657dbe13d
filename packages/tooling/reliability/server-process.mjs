// A real server as a separate process, which these tests start, kill and restart.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pinnedNode } from "../build.mjs";
import { ROOT } from "../install.mjs";

const launched = new Set();
process.once("exit", () => {
  for (const child of launched) child.kill("SIGKILL");
});

/**
 * Starts `weft serve` without the launcher, so that a signal hits the server itself. `address` rejects when it ends first.
 * `before`: a command with arguments that starts it; `cwd`: the folder of its weft.config.json.
 */
export function launchServer(args, { nodeArgs = [], env = {}, before = [], cwd } = {}) {
  const startedMs = performance.now();
  const main = join(ROOT, "packages/cli/src/main.ts");
  const node = [pinnedNode(), "--disable-proto=delete", ...nodeArgs, main, "serve", "--port", "0", ...args];
  const [command, ...rest] = [...before, ...node];
  // Most jobs here write marks to paths that a sandbox makes read-only. WEFT_SANDBOX=required tests aborts in one.
  const environment = { WEFT_SANDBOX: "none", ...process.env, ...env };
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"], env: environment, cwd });
  launched.add(child);
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  const exit = new Promise((resolve) => child.once("close", (code) => resolve({ code, errors })));
  void exit.then(() => launched.delete(child));
  const address = new Promise((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      const found = /listening on (\S+)\n/.exec(printed)?.[1];
      if (found !== undefined) resolve({ address: found, readyMs: performance.now() - startedMs });
    });
    void exit.then(({ code }) => reject(new Error(`the server ended with ${code}: ${errors}`)));
  });
  // A test that kills the server does not always wait for its address.
  address.catch(() => undefined);
  return {
    address,
    exit,
    pid: child.pid,
    /** Sends a signal and waits until the process is gone. */
    async stop(signal) {
      child.kill(signal);
      return exit;
    },
  };
}

export async function getJson(address, path) {
  const answer = await fetch(`${address}${path}`);
  if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** A live server refused a run. */
export class RefusedRun extends Error {}

/** Posts a run under a key; a second call with the same key returns the same run. */
export async function postRun(address, key, body) {
  const headers = { "content-type": "application/json", "idempotency-key": key };
  const answer = await fetch(`${address}/api/runs`, { method: "POST", headers, body: JSON.stringify(body) });
  if (answer.status !== 201) throw new RefusedRun(`the run was refused: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).run_id;
}

/** Receives every event after `since` until the connection ends for any reason, or the signal is aborted. */
export async function hearEvents(address, since, onEvent, signal) {
  try {
    const headers = { accept: "text/event-stream" };
    const stream = await fetch(`${address}/api/events?since=${since}`, { headers, signal });
    let rest = "";
    for await (const text of stream.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.startsWith("data: ")) onEvent(JSON.parse(line.slice(6)));
    }
  } catch {
    // The server was killed, as these tests intend.
  }
}

export async function allEvents(address) {
  const events = [];
  for (;;) {
    const page = await getJson(address, `/api/events?page_size=500&since=${events.at(-1)?.seq ?? 0}`);
    events.push(...page.events);
    if (page.events.length === 0) return events;
  }
}
