// Shared by the tests that kill a working server: posts runs until a server answers, receives events until the server is
// gone, and judges the result at the end.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { crashBody, EXPECTED, EXPECTED_CHECKSUM, expectedMarks, writeCrashCatalog } from "./crash-network.mjs";
import { judgeCrash } from "./judge-crash.mjs";
import { allEvents, getJson, hearEvents, launchServer, postRun, RefusedRun } from "./server-process.mjs";

const STUCK_MS = 240_000;

export class CrashStudy {
  folder = mkdtempSync(join(tmpdir(), "weft-crash-"));
  stateFolder = join(this.folder, "state");
  /** The token of each run, and its id once a server has returned it. */
  acknowledged = new Map();
  startsMs = [];
  lastSeq = 0;
  #received = new Map();
  #resumed = 0;
  #marksFile = join(this.folder, "marks.txt");
  #args = ["--jobs", "4", "--state", this.stateFolder, "--catalog", writeCrashCatalog(this.folder)];

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  launch(process) {
    return launchServer(this.#args, process);
  }

  /** Posts all unacknowledged runs, and one more once `mayPost` resolves; receives events until the server is gone. */
  async work(server, token, { hear = () => {}, mayPost = async () => undefined } = {}) {
    try {
      const { address, readyMs } = await server.address;
      this.startsMs.push(readyMs);
      const receiving = hearEvents(address, this.lastSeq, (event) => {
        this.#received.set(event.seq, JSON.stringify(event));
        this.lastSeq = event.seq;
        hear(event);
      });
      await mayPost(address);
      if (!this.acknowledged.has(token)) this.acknowledged.set(token, undefined);
      await this.#postOpen(address);
      await receiving;
    } catch (error) {
      if (error instanceof RefusedRun) throw error;
      // The server was killed before it responded; the run is posted again.
      if (!this.acknowledged.has(token)) this.acknowledged.set(token, undefined);
    }
  }

  async #postOpen(address) {
    for (const [token, id] of this.acknowledged) {
      if (id === undefined)
        this.acknowledged.set(token, await postRun(address, token, crashBody(token, this.#marksFile)));
    }
  }

  /** Waits until all acknowledged runs have ended. Resumes runs that the server paused because of the crashes (ADR 103). */
  async waitForEnds(address) {
    const deadline = performance.now() + STUCK_MS;
    for (const id of this.acknowledged.values()) {
      while (id !== undefined && performance.now() < deadline) {
        const answer = await fetch(`${address}/api/runs/${id}/status`);
        if (answer.status === 404) break;
        const { state } = await answer.json();
        if (/COMPLETE|ERROR|CANCELED/.test(state)) break;
        if (state === "PAUSED") await this.#resume(address, id);
        await pause(50);
      }
    }
  }

  async #resume(address, id) {
    const { ok } = await fetch(`${address}/api/runs/${id}/resume`, { method: "POST" });
    if (ok) this.#resumed += 1;
  }

  /** Lets one more server finish the remaining work; returns a sentence for each fault. */
  async judge() {
    const server = this.launch();
    const { address, readyMs } = await server.address;
    this.startsMs.push(readyMs);
    await this.#postOpen(address);
    await this.waitForEnds(address);
    const runs = await allRuns(address);
    const outputs = new Map();
    for (const { run_id } of runs) outputs.set(run_id, await hasExpectedOutput(address, run_id));
    const events = await allEvents(address);
    const ended = await server.stop("SIGTERM");
    const { acknowledged } = this;
    const marks = existsSync(this.#marksFile) ? readFileSync(this.#marksFile, "utf8").trimEnd().split("\n") : [];
    const faults = judgeCrash({ acknowledged, runs, outputs, events, heard: this.#received, marks, expectedMarks });
    return ended.code === 0 ? faults : [...faults, `the last server ended with ${ended.code}: ${ended.errors}`];
  }

  /** One line about starts and one about faults, and a sentence for each of the first faults. */
  print(name, faults) {
    const slowest = Math.max(...this.startsMs);
    console.log(`${name}: ${this.startsMs.length} starts, the slowest ready after ${(slowest / 1000).toFixed(2)} s`);
    if (this.#resumed > 0) console.log(`${name}: ${this.#resumed} runs were paused after three crashes, and resumed`);
    console.log(`${name}: ${faults.length} faults`);
    for (const fault of faults.slice(0, 20)) console.log(`${name}: fault: ${fault}`);
  }
}

async function allRuns(address) {
  const runs = [];
  for (let token = ""; ;) {
    const page = await getJson(
      address,
      `/api/runs?page_size=100${token && `&page_token=${encodeURIComponent(token)}`}`,
    );
    runs.push(...page.runs);
    token = page.next_page_token;
    if (token === "") return runs;
  }
}

/** Checks the recorded checksum, and the bytes that the server sends. */
async function hasExpectedOutput(address, runId) {
  const run = await getJson(address, `/api/runs/${runId}`);
  if (run.state !== "COMPLETE") return false;
  const { checksum, location } = run.outputs.joined;
  const answer = await fetch(new URL(location, address));
  return checksum === EXPECTED_CHECKSUM && (await answer.text()) === EXPECTED;
}
