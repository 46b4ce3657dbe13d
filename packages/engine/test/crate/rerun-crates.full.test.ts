import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { LOCAL_BACKEND } from "../../src/executor/backends/backend-settings.ts";
import { LocalSlurm } from "../../src/executor/slurm/testing/local-slurm.ts";
import { LocalTesServer } from "../../src/executor/tes/testing/local-tes-server.ts";
import { lacks } from "@weft/tooling/lacks.ts";
import { caller, CrateRuns, file, naming, nested, type WrittenCrate } from "./crate-runs.ts";
import { FOREIGN, writeForeign } from "./foreign-crates.ts";

const tes = await LocalTesServer.open();
const slurm = await LocalSlurm.open();
after(() => tes.close());
/** The programs of the test catalog, which jobs find by PATH. */
const bin = temporaryFolder({
  shout: '#!/bin/sh\ntr a-z A-Z < "$1"; echo said >&2\n',
  act: '#!/bin/sh\n[ "$1" = hang ] && exec sleep 300; echo "acting $1" >&2; exit "$1"\n',
});
for (const name of ["shout", "act"]) await chmod(join(bin, name), 0o755);
process.env["PATH"] = `${bin}:${process.env["PATH"] ?? ""}`;

const sinks = temporaryFolder();
const runs = await CrateRuns.open({ sinks: { folders: { results: sinks }, umask: 0o022 } }, "processes");
const other = await CrateRuns.open({}, "processes");
const remote = await CrateRuns.open(
  {
    backend: {
      ...LOCAL_BACKEND,
      policy: { standard: "tes", rules: [], defaultImage: "debian:12" },
      tes: { ...LOCAL_BACKEND.tes, url: tes.url, pollMs: 20 },
    },
  },
  "processes",
);
const cluster = await CrateRuns.open(
  {
    backend: {
      ...LOCAL_BACKEND,
      policy: { standard: "slurm", rules: [], defaultImage: undefined },
      slurm: { ...LOCAL_BACKEND.slurm, commands: slurm.commands, pollMs: 50 },
    },
  },
  "processes",
);
interface Case {
  readonly what: string;
  readonly run: () => Promise<Run>;
  readonly on?: CrateRuns;
  /** Why cwltool cannot run it with the same result. */
  readonly not?: string;
}

const plain = (body: CreateRun) => () => runs.run(body);
const texts = [file("one.txt"), file("two.txt")];
const location = ({ location: uri }: { readonly location: string }) => uri;

const CASES: readonly Case[] = [
  { what: "nested cross products", run: plain({ network: "crossed", inputs: { texts, words: ["a", "b"] } }) },
  { what: "a loop", run: plain({ network: "growing", inputs: { text: file("one.txt"), rounds: 3 } }) },
  { what: "folders", run: plain({ network: "empty-folders-twice", inputs: {} }) },
  { what: "secondary files and nested networks", run: plain(nested) },
  { what: "files that the document names", run: plain(naming) },
  { what: "a tool", run: plain({ tool: "shout", version: "1.2.0", inputs: { text: file("one.bam"), word: "x" } }) },
  {
    what: "secrets",
    run: plain({ tool: "login", inputs: { password: "very secret" } }),
    not: "the crate has placeholders instead of the secrets",
  },
  {
    what: "a failed run",
    run: plain({ network: "act-all", inputs: { hows: ["0", "3"] } }),
    not: "the run failed",
  },
  {
    what: "an aborted run",
    run: () => runs.run({ network: "act-all", inputs: { hows: ["hang"] } }, true),
    not: "the run was aborted and has no outputs to compare",
  },
  {
    what: "a run with output destinations",
    run: plain({
      network: "shout-all",
      source_data: { texts: { a: location(file("one.txt")), b: location(file("two.txt")) } },
      sink_data: { louds: "vfs://results/{sample_id}/{basename}" },
    }),
  },
  { what: "a run at a TES server", on: remote, run: () => remote.run({ network: "shout-all", inputs: { texts } }) },
  {
    what: "a run at Slurm",
    on: cluster,
    run: async () => {
      const run = await cluster.run({ network: "shout-all", inputs: { texts } });
      const [job] = cluster.engine.runs.jobs(caller, run.run_id, {}).jobs;
      assert.equal(cluster.engine.runs.job(caller, run.run_id, job?.job_id ?? "").backend.kind, "slurm");
      return run;
    },
  },
  {
    what: "an imported run",
    on: other,
    run: async () => {
      const { folder } = await runs.crateOf(await runs.run(naming));
      return other.importFolder(folder);
    },
  },
  ...FOREIGN.map((fixture): Case => ({
    what: `a foreign run (${fixture.what})`,
    run: () => runs.importFolder(writeForeign(fixture, join(runs.root, `foreign-${fixture.what}`))),
    not: "the crate only describes the workflow",
  })),
];

describe("a crate", () => {
  for (const { what, run, on = runs, not } of CASES) {
    const again = not === undefined ? ", and cwltool runs it again with equal checksums" : ` (not run again: ${not})`;
    it(`satisfies the profiles for ${what}${again}`, async (t) => {
      const crate = await on.crateOf(await run());
      assert.deepEqual(crate.violations, []);
      if (not !== undefined) return;
      const lacking = lacks("cwltool");
      if (lacking !== false) return t.skip(lacking);
      const outputs: unknown = JSON.parse(await readFile(join(crate.folder, "outputs.json"), "utf8"));
      assert.deepEqual(contentOf(await rerun(crate)), contentOf(outputs));
    });
  }
});

/** Runs what is in the folder as it is. Returns the output object. */
async function rerun({ folder, graph }: WrittenCrate): Promise<unknown> {
  const document = graph.some((one) => one["@id"] === "workflow.cwl") ? "workflow.cwl" : "tool.cwl";
  const outdir = `${folder}-again`;
  await mkdir(outdir);
  const args = ["--quiet", "--enable-ext", "--no-container", "--outdir", outdir, document, "inputs.json"];
  const { stdout } = await promisify(execFile)("cwltool", args, { cwd: folder });
  return JSON.parse(stdout);
}

/** Sizes and checksums: each engine gives names to outputs of the same name. */
function contentOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(contentOf);
  if (typeof value !== "object" || value === null) return value;
  const { class: kind, checksum, size, secondaryFiles } = value as Readonly<Record<string, unknown>>; // any object has fields
  if (kind === "File") return { checksum, size, secondaryFiles: contentOf(secondaryFiles ?? []) };
  if (kind === "Directory") return { kind };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, contentOf(inner)]));
}
