import { join } from "node:path";
import type { TestContext } from "node:test";
import { temporaryFolder, writeFiles, type Files } from "@weft/shared/testing/temporary-folder.ts";
import type { Job } from "@weft/shared/records/job-record.ts";
import type { CreateRun, RetryRun, Run } from "@weft/shared/records/run-record.ts";
import type { Engine } from "../src/port/engine.ts";
import type { EngineOptions } from "../src/app/engine-options.ts";
import { caller, endedRun, startRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";

export { caller };

/** A server of its own with a small catalog and a data folder, for runs that may take results from each other. */
export class CachedRuns {
  readonly root: string;
  readonly #more: Partial<EngineOptions>;
  #engine: Engine | undefined;

  constructor(root: string, more: Partial<EngineOptions> = {}) {
    this.root = root;
    this.#more = more;
  }

  /** Removed when the test ends. */
  static async open(t: TestContext, files: Files, more: Partial<EngineOptions> = {}): Promise<CachedRuns> {
    const runs = new CachedRuns(temporaryFolder({ "catalog/": "", "data/": "", ...files }), more);
    t.after(() => runs.close());
    await runs.restart();
    return runs;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new Error("the server is not open");
    return this.#engine;
  }

  /** `path` below the root: `catalog/tools/…` or `data/…`. */
  write(path: string, text: string): void {
    writeFiles(this.root, { [path]: text });
  }

  /** Restarts the server, which also reads the catalog again. */
  async restart(mode: "cancel" | "detach" = "cancel"): Promise<void> {
    await this.close(mode);
    this.#engine = await openTestEngine(this.root, {
      dataFolders: { data: join(this.root, "data") },
      jobs: 4,
      ...this.#more,
    });
  }

  async close(mode: "cancel" | "detach" = "cancel"): Promise<void> {
    await this.#engine?.stop(mode);
    this.#engine = undefined;
  }

  start(body: CreateRun): Promise<string> {
    return startRun(this.engine, body);
  }

  async run(body: CreateRun): Promise<Run> {
    return this.ended(await this.start(body));
  }

  async retry(runId: string, body: RetryRun = {}): Promise<Run> {
    const { run } = await this.engine.runs.retry(caller, runId, { body, idempotencyKey: undefined });
    return this.ended(run.run_id);
  }

  ended(runId: string): Promise<Run> {
    return endedRun(this.engine, runId);
  }

  jobs({ run_id: runId }: Pick<Run, "run_id">): readonly Job[] {
    const { runs } = this.engine;
    return runs.jobs(caller, runId, {}).jobs.map(({ job_id: jobId }) => runs.job(caller, runId, jobId));
  }

  /** The only job of a run. */
  job(run: Pick<Run, "run_id">): Job {
    const [job] = this.jobs(run);
    if (job === undefined) throw new Error("the run has no job");
    return job;
  }

  /** The folder in which the only attempt of a job has worked. */
  folderOf({ run_id, job_id }: Pick<Job, "run_id" | "job_id">): string {
    return join(this.root, "state", "runs", run_id, "jobs", `${job_id}@1`);
  }
}
