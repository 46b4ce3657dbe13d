import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import type { Prune, PruneReport } from "@weft/shared/records/storage-record.ts";
import { DownloadStore } from "../../files/remote/download-store.ts";
import type { EventData } from "@weft/shared/events/event.ts";
import type { NewEvent } from "../../journal/journal-event.ts";
import type { Journal } from "../../journal/journal.ts";
import { openMemoryJournal } from "../../journal/memory-journal.ts";
import { Retention } from "../retention.ts";
import { runCreated, runEnded } from "../../journal/testing/new-events.ts";

export const RUN_IDS = ["1", "2", "3"].map((n) => `019a9c5e-7b1a-7cc0-8000-00000000000${n}`);
export const UPLOAD_ID = "6c1f6b1c-5c1e-4f6e-9a55-000000000001";

/** The files of a run of one job: an output with a second hard link, and stderr in a file chosen by the tool. */
const LEFT: Readonly<Record<string, string>> = {
  "jobs/make@1/stdout": "out\n",
  "jobs/make@1/launch": "launch\n",
  "jobs/make@1/out/other.txt": "x".repeat(10_000),
  "jobs/make@1/out/sub/named-errors.txt": "errors\n",
  "outputs/report.txt": "r".repeat(20_000),
};

/** A state folder with an in-memory log, in which the test creates and ends runs. */
export class StateOfRuns {
  readonly root: string;
  readonly runsFolder: string;
  readonly uploadsFolder: string;
  readonly journal: Journal;
  readonly warnings: string[] = [];
  #nowMs = Date.now();

  private constructor(root: string) {
    this.root = root;
    this.runsFolder = join(root, "runs");
    this.uploadsFolder = join(root, "uploads");
    this.journal = openMemoryJournal(() => this.#nowMs);
  }

  static create(): StateOfRuns {
    return new StateOfRuns(temporaryFolder({ "runs/": "", "uploads/": "" }));
  }

  retention(): Retention {
    const { journal, runsFolder, uploadsFolder, root } = this;
    const log = (_level: string, message: string) => this.warnings.push(message);
    return new Retention({
      journal,
      runsFolder,
      uploadsFolder,
      downloads: new DownloadStore(join(root, "downloads")),
      log,
    });
  }

  later(ms: number): void {
    this.#nowMs += ms;
  }

  prune(body: Prune, isDryRun = false): Promise<PruneReport> {
    return this.retention().prune(body, { actor: "ann", isDryRun, nowMs: this.#nowMs });
  }

  write(path: string, text: string): string {
    writeFiles(this.root, { [path]: text });
    return join(this.root, path);
  }

  /** Null if the log refuses the run. */
  async begin(runId: string, more: Partial<EventData<"run.created">> = {}) {
    const [event] = await this.append({ ...runCreated(runId, { ...CREATED, ...more }), blobs });
    return event;
  }

  async end(runId: string, outcome: "success" | "failure" = "success"): Promise<void> {
    await this.append(runEnded(runId, outcome));
  }

  /** An ended run with the files that its job left on disk. */
  async endedRun(runId: string, options: RunOptions = {}, outcome: "success" | "failure" = "success"): Promise<void> {
    assert.notEqual(await this.begin(runId, { options }), null);
    for (const [path, text] of Object.entries(LEFT)) this.write(`runs/${runId}/${path}`, text);
    await this.startJob(runId);
    await this.end(runId, outcome);
  }

  append(...events: readonly NewEvent[]) {
    return this.journal.append(events);
  }

  async startJob(runId: string): Promise<void> {
    const job = { run_id: runId, job_id: "make", step: "make", actor: "engine" };
    const tool = { id: "make", version: null, class: "CommandLineTool" } as const;
    // The run recorded this path; the folder may have moved since.
    const folder = `/elsewhere/runs/${runId}/jobs/make@1`;
    const stderr = `${folder}/out/sub/named-errors.txt`;
    const command = { argv: ["make"], workdir: `${folder}/out`, env: {}, stdout: `${folder}/stdout`, stderr };
    const started = { attempt: 1, command, cores: 1, ram_bytes: 1, backend: "local", inputs: "sha256:i", files: [] };
    await this.append(
      { type: "job.queued", ...job, data: { call_id: "make", n: 1, scatter_index: [], tool } },
      { type: "job.started", ...job, data: started },
    );
  }
}

const blobs = [
  { digest: "sha256:d", text: "{}" },
  { digest: "sha256:i", text: "{}" },
];

const CREATED = {
  ...{ process_id: "make", name: "night run", document: "sha256:d", inputs: "sha256:i" },
  steps: [{ step: "make", jobs_total: 1, jobs_total_is_final: true }],
};
