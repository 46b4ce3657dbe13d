// The site of a fault: a folder, a server that uses it, the requests to that server, and the problems found.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getJson, launchServer } from "../server-process.mjs";

const STUCK_MS = 60_000;
const FINAL = /COMPLETE|ERROR|CANCELED/;

/** Runs its one input as a shell script. */
const ACT = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  baseCommand: ["sh", "-c"],
  inputs: { script: { type: "string", inputBinding: { position: 1 } } },
  stdout: "text.txt",
  outputs: { text: "stdout" },
};

const MISSING = { ...ACT, baseCommand: ["weft-no-such-program"] };

export class FaultSite {
  folder = mkdtempSync(join(tmpdir(), "weft-fault-"));
  faults = [];
  server;
  #catalog = join(this.folder, "catalog");

  /** `stateFolder`: absolute; absent: a new folder. */
  constructor(stateFolder) {
    this.stateFolder = stateFolder ?? join(this.folder, "state");
    for (const [id, tool] of Object.entries({ act: ACT, missing: MISSING })) {
      const toolFolder = join(this.#catalog, "tools", id, "1.0.0");
      mkdirSync(toolFolder, { recursive: true });
      writeFileSync(join(toolFolder, `${id}.cwl`), JSON.stringify(tool));
    }
    mkdirSync(join(this.#catalog, "networks"));
  }

  /** Records a sentence about the expected behavior as a fault if `isSo` is false. */
  expect(isSo, sentence) {
    if (!isSo) this.faults.push(sentence);
  }

  async start(process) {
    this.server = launchServer(["--state", this.stateFolder, "--catalog", this.#catalog, "--jobs", "4"], process);
    this.address = (await this.server.address).address;
  }

  /** Posts a run of one job that runs the script; returns status, problem code, id and headers. */
  async post(script, { key, tool = "act", options = {} } = {}) {
    const headers = { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) };
    // Each job must really run, even if an equal job has already run.
    const body = JSON.stringify({ tool, inputs: { script }, options: { cache: "off", ...options } });
    const answer = await fetch(`${this.address}/api/runs`, { method: "POST", headers, body });
    const { run_id: runId, code } = await answer.json();
    return { status: answer.status, code, runId, headers: answer.headers };
  }

  /** Returns the id; any other answer is a fault. */
  async run(script, options) {
    const { status, code, runId } = await this.post(script, options);
    if (runId === undefined) throw new Error(`a run was refused: ${status} ${code}`);
    return runId;
  }

  get(path) {
    return getJson(this.address, path);
  }

  async statusOf(path) {
    const answer = await fetch(`${this.address}${path}`);
    await answer.arrayBuffer();
    return answer.status;
  }

  until(runId, isSo) {
    return eventually(`run ${runId} to reach the expected state`, async () => {
      const run = await this.get(`/api/runs/${runId}`);
      return isSo(run) ? run : undefined;
    });
  }

  untilFinal(runId) {
    return this.until(runId, ({ state }) => FINAL.test(state));
  }

  untilRunning(runId) {
    return this.until(runId, ({ job_counts: counts }) => counts.RUNNING === 1);
  }

  /** The one job of a run, with its attempts. */
  async job(runId) {
    const [{ job_id: jobId }] = (await this.get(`/api/runs/${runId}/jobs`)).jobs;
    return this.get(`/api/runs/${runId}/jobs/${jobId}`);
  }

  async storage() {
    return (await this.get("/api/server")).storage;
  }

  /** Absolute paths of the folders of the attempts of a run. */
  attemptFolders(runId) {
    const jobs = join(this.stateFolder, "runs", runId, "jobs");
    return readdirSync(jobs).map((name) => join(jobs, name));
  }

  async close() {
    await this.server?.stop("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the result of `look` as soon as there is one. */
export async function eventually(what, look) {
  const deadline = performance.now() + STUCK_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited ${STUCK_MS / 1000} s for ${what}`);
    await pause(25);
  }
}

/** Lines of a file; none if the file does not exist yet. */
export function linesOf(path) {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
