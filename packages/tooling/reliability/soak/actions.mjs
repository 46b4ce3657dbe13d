// Actions of users and administrators. An action returns a sentence if something is wrong.
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pinnedNode } from "../../build.mjs";
import { ROOT } from "../../install.mjs";
import { hearEvents } from "../server-process.mjs";

const SCRIPTS = [
  () => "echo always the same",
  (random) => `sleep ${(random() * 2).toFixed(2)}; date`,
  (random) => `head -c ${Math.floor(random() * 1_000_000)} /dev/urandom`,
  () => "sleep 30 & sleep 0.5; exit 3",
  () => "seq 20000 >&2",
];
/** Status codes from a server that keeps its promises. */
const FINE = new Set([200, 201, 202, 204, 304, 404, 409, 412]);
const WATCH_MS = 2000;

export const ACTIONS = {
  async run(state) {
    const script = pick(state, SCRIPTS)(state.random);
    const { status, runId } = await state.site.post(script, { options: { cache: pick(state, ["use", "off"]) } });
    if (runId !== undefined) state.runs.push(runId);
    return status === 201 ? undefined : `a request for a run got the answer ${status}`;
  },
  async abort(state) {
    return withRun(state, (runId) => request(state, `/api/runs/${runId}`, { method: "DELETE" }));
  },
  async retry(state) {
    return withRun(state, async (runId) => {
      const answer = await fetch(`${state.site.address}/api/runs/${runId}/retry`, { method: "POST" });
      const { run_id: retried } = await answer.json();
      if (answer.status === 201) state.runs.push(retried);
      return FINE.has(answer.status) ? undefined : `a request for a retry got the answer ${answer.status}`;
    });
  },
  async upload(state) {
    const body = new Uint8Array(Math.floor(state.random() * 500_000));
    const headers = { "content-type": "application/octet-stream" };
    return request(state, "/api/files?name=upload.bin", { method: "POST", headers, body });
  },
  async read(state) {
    return withRun(state, async (runId) => {
      for (const path of ["", "/status", "/jobs", "/outputs", "/events"])
        if (!FINE.has(await state.site.statusOf(`/api/runs/${runId}${path}`)))
          return `${path} got an unexpected answer`;
      return undefined;
    });
  },
  async watch(state) {
    const watching = hearEvents(state.site.address, 0, () => {}, AbortSignal.timeout(WATCH_MS));
    await Promise.race([watching, pause(WATCH_MS * 2)]);
    return undefined;
  },
  async editCatalog(state) {
    const path = join(state.site.folder, "catalog/tools/act/1.0.0/README.md");
    writeFileSync(path, `Edited ${state.random()}\n`);
    return request(state, "/api/tools");
  },
  async backUp(state) {
    const target = join(state.site.folder, `backup-${Math.floor(state.random() * 1e9)}`);
    const problem = await weft(["backup", "--state", state.site.stateFolder, target]);
    rmSync(target, { recursive: true, force: true });
    return problem;
  },
  prune(state) {
    return weft(["prune", "--state", state.site.stateFolder, "--older-than", "1m", "--uploads", "--yes"]);
  },
  async changeTokens(state) {
    const name = `soak-${Math.floor(state.random() * 1e9)}`;
    const at = ["--state", state.site.stateFolder];
    return (
      (await weft(["token", "create", ...at, "--name", name, "--role", "runner"])) ??
      (await weft(["token", "revoke", ...at, name]))
    );
  },
};

function pick({ random }, choices) {
  return choices[Math.floor(random() * choices.length)];
}

async function withRun(state, act) {
  return state.runs.length === 0 ? undefined : act(pick(state, state.runs));
}

async function request({ site }, path, init) {
  const answer = await fetch(`${site.address}${path}`, init);
  await answer.arrayBuffer();
  return FINE.has(answer.status) ? undefined : `${init?.method ?? "GET"} ${path} got the answer ${answer.status}`;
}

function weft(args) {
  const main = join(ROOT, "packages/cli/src/main.ts");
  const child = spawn(pinnedNode(), ["--disable-proto=delete", main, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  return new Promise((resolve) =>
    child.once("close", (code) => resolve(code === 0 ? undefined : `weft ${args[0]} ended with ${code}: ${errors}`)),
  );
}
