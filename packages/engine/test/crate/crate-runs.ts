import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { buffer } from "node:stream/consumers";
import { after } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { TEST_CATALOG } from "../test-catalog.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { readZip, unpackZip } from "../../src/archive/testing/unpack-zip.ts";
import type { Engine } from "../../src/port/engine.ts";
import { openTestEngine } from "../../src/testing/open-test-engine.ts";
import type { EngineOptions } from "../../src/app/engine-options.ts";
import { CRATE_CATALOG, crateExecutor } from "./crate-catalog.ts";
import { crateViolations, type Entity } from "./crate-rules.ts";
import { unmetRecommendations } from "./crate-recommendations.ts";
import { provenanceOf, runsOf } from "../../src/testing/ask-runs.ts";
import { caller, endedRun, startRun, untilRun } from "../../src/testing/drive-runs.ts";

export { caller };

export const file = (name: string) => ({ class: "File", location: `weft-data://catalog/data/${name}` });

export const nested: CreateRun = {
  network: "nested",
  inputs: { texts: [file("one.bam"), file("other/one.bam"), file("empty.bam")] },
};

export const naming: CreateRun = {
  network: "naming",
  inputs: { settings: { word: "a", times: 2 }, texts: [file("one.bam"), file("other/one.bam")] },
};

export const thirdTime: CreateRun = { tool: "third-time", inputs: {}, options: { cache: "off" } };

export interface RunKind {
  readonly what: string;
  readonly body: CreateRun;
  readonly state: Run["state"];
  readonly isToAbort?: boolean;
  /** Runs it twice, so that the second run reuses everything. */
  readonly isCached?: boolean;
}

export interface WrittenCrate {
  readonly folder: string;
  readonly graph: readonly Entity[];
  /** Violations of a MUST of the profiles. */
  readonly violations: readonly string[];
  /** Violations of a SHOULD. */
  readonly wishes: readonly string[];
  readonly of: (type: string) => readonly Entity[];
}

/** A server of its own for one test file, which runs what crates are made of. */
export class CrateRuns {
  static readonly maxBytes = 1_000_000;
  readonly options: Partial<EngineOptions>;
  readonly root: string;
  readonly engine: Engine;
  #count = 0;

  private constructor(options: Partial<EngineOptions>, root: string, engine: Engine) {
    this.options = options;
    this.root = root;
    this.engine = engine;
  }

  /** Ended and removed after the tests of the file. Jobs are functions unless the second argument asks for processes. */
  static async open(
    more: Partial<EngineOptions> = {},
    jobs: "functions" | "processes" = "functions",
  ): Promise<CrateRuns> {
    const root = temporaryFolder({ ...TEST_CATALOG, ...CRATE_CATALOG });
    const options: Partial<EngineOptions> = {
      ...{ version: "7.8.9", jobs: 2, retryDelaysMs: [0], maxUploadBytes: CrateRuns.maxBytes },
      ...(jobs === "functions" && { executor: crateExecutor(), container: "none" }),
      ...more,
    };
    const engine = await openTestEngine(root, options);
    after(() => engine.stop("cancel"));
    return new CrateRuns(options, root, engine);
  }

  /** The result of a lineage search about a run, apart from ids and addresses, which are those of the server. */
  async filesOf(runId: string): Promise<readonly string[]> {
    const { files } = await runsOf(this.engine).findFiles(caller, { run: runId, page_size: 500 });
    return files
      .map(({ job_id, direction, port, place, name, checksum, sha256, size }) =>
        JSON.stringify([job_id, direction, port, place, name, checksum, sha256, size]),
      )
      .sort();
  }

  /** Every kind of run of which crates are made. */
  kinds(): readonly RunKind[] {
    const texts = [file("one.txt"), file("two.txt")];
    const hows = (...all: string[]) => ({ network: "act-all", inputs: { hows: all } });
    return [
      { what: "a plain scatter", body: { network: "shout-all", inputs: { texts } }, state: "COMPLETE" },
      {
        what: "a scatter of nested networks with folders, files next to files and a step that did not run",
        body: nested,
        state: "COMPLETE",
      },
      {
        what: "cross products of nested networks",
        body: { network: "crossed", inputs: { texts, words: ["a", "b"] } },
        state: "COMPLETE",
      },
      { what: "a document that names files itself", body: naming, state: "COMPLETE" },
      { what: "folders without files", body: { network: "empty-folders-twice", inputs: {} }, state: "COMPLETE" },
      { what: "a tool that makes folders", body: { tool: "empty-folders", inputs: {} }, state: "COMPLETE" },
      { what: "a run that took every result from an earlier one", body: nested, state: "COMPLETE", isCached: true },
      { what: "a run that failed", body: hows("0", "3"), state: "EXECUTOR_ERROR" },
      { what: "a run that was aborted", body: hows("hang"), state: "CANCELED", isToAbort: true },
      { what: "a job that was tried again", body: thirdTime, state: "COMPLETE" },
      {
        what: "a tool by itself",
        body: { tool: "shout", version: "1.2.0", inputs: { text: file("one.bam"), word: "x" } },
        state: "COMPLETE",
      },
      {
        what: "a network in which every job was tried again",
        body: { ...hows("4"), options: { retries: 1 } },
        state: "EXECUTOR_ERROR",
      },
      {
        what: "a network without anything to do",
        body: { network: "shout-all", inputs: { texts: [] } },
        state: "COMPLETE",
      },
    ];
  }

  /** Runs one of them. */
  async runKind({ body, isToAbort, isCached }: RunKind): Promise<Run> {
    if (isCached === true) await this.run(body);
    return this.run(body, isToAbort);
  }

  async run(body: CreateRun, isToAbort = false): Promise<Run> {
    const runId = await startRun(this.engine, body);
    if (isToAbort) {
      await untilRun(this.engine, runId, ({ job_counts: counts }) => counts.RUNNING !== undefined);
      await this.engine.runs.abort(caller, runId, 10_000);
    }
    return endedRun(this.engine, runId);
  }

  importFolder(path: string, by = caller): Promise<Run> {
    return this.engine.provenance.importCrate(by, { kind: "folder", path });
  }

  async crateOf(run: Run): Promise<WrittenCrate> {
    const folder = join(this.root, `crate-${++this.#count}`);
    const archive = await provenanceOf(this.engine).crateArchive(caller, run.run_id);
    const zip = await buffer(archive.open());
    await unpackZip(zip, folder);
    const metadata = JSON.parse(await readFile(join(folder, "ro-crate-metadata.json"), "utf8")) as {
      readonly "@graph": readonly Entity[];
    };
    const graph = metadata["@graph"];
    return {
      folder,
      graph,
      violations: crateViolations(metadata, await payloadOf(folder, new Set(readZip(zip).map(({ name }) => name)))),
      wishes: unmetRecommendations(graph),
      of: (type) => graph.filter((entity) => [entity["@type"]].flat().includes(type)),
    };
  }
}

/** `packed`: names of the entries of the zip, if there is one: it needs an entry for each folder. */
export async function payloadOf(folder: string, packed?: ReadonlySet<string>) {
  const payload = new Map<string, { sha256: string; size: number } | undefined>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const name = `${relative(folder, join(entry.parentPath, entry.name))}/`;
    if (entry.isDirectory() && packed?.has(name) !== false) payload.set(name, undefined);
    if (!entry.isFile() || entry.name === "ro-crate-metadata.json") continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    const sha256 = createHash("sha256").update(content).digest("hex");
    payload.set(relative(folder, path), { sha256, size: content.length });
  }
  return payload;
}
