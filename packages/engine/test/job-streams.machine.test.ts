import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { lacks } from "@weft/tooling/lacks.ts";
import { caller, runToEnd } from "../src/testing/drive-runs.ts";
import { openTestEngine, toolFiles } from "../src/testing/open-test-engine.ts";

const root = temporaryFolder({
  ...{ "study/counts.txt": "precious\n", "study/sub/counts.txt": "precious\n" },
  ...{ "beside.txt": "precious\n", "errors.txt": "precious\n" },
});
const study = join(root, "study");
const secret = join(root, "beside.txt");

interface Tool {
  readonly listing?: string;
  readonly streams?: string;
  readonly script: string;
}

const tool = ({ listing = "[]", streams = "", script }: Tool) => `cwlVersion: v1.2
class: CommandLineTool
requirements:
  InlineJavascriptRequirement: {}
  InitialWorkDirRequirement: { listing: ${listing} }
baseCommand: [sh, -c, ${JSON.stringify(script)}]
inputs:
  given: Any
${streams}
outputs: { all: { type: "File[]", outputBinding: { glob: "*.txt" } } }
`;

const LISTED = "[$(inputs.given)]";
const RENAMED = '[{ entry: $(inputs.given), entryname: "counts.txt" }]';
const WRITABLE = "[{ entry: $(inputs.given), writable: true }]";
const LITERAL = "[{ entry: 'some text', entryname: counts.txt }]";
const COUNTS = "counts.txt";
const TOOLS: Readonly<Record<string, string>> = {
  stdout: tool({ listing: LISTED, streams: `stdout: ${COUNTS}`, script: "echo new" }),
  stderr: tool({ listing: LISTED, streams: `stderr: ${COUNTS}`, script: "echo new >&2" }),
  renamed: tool({ listing: RENAMED, streams: "stdout: a/../counts.txt", script: "echo new" }),
  writable: tool({ listing: WRITABLE, streams: `stdout: ${COUNTS}`, script: "echo new" }),
  literal: tool({ listing: LITERAL, streams: `stderr: ${COUNTS}`, script: "echo new >&2" }),
  folder: tool({ listing: LISTED, streams: "stdout: sub/counts.txt", script: "echo new; cp sub/counts.txt seen.txt" }),
  both: tool({ streams: "stdout: log.txt\nstderr: log.txt", script: "echo said" }),
  stdin: tool({ streams: "stdin: $(inputs.given.path)", script: "cat > seen.txt" }),
  peek: tool({ streams: "stdin: $(inputs.given)\nstdout: seen.txt", script: "cat" }),
  swap: tool({
    streams: "stderr: deep/errors.txt",
    script: `mv deep aside; ln -s ${root} deep; ln -s ${secret} errors.txt; exit 1`,
  }),
  fifo: tool({ streams: "stderr: errors.txt", script: "rm errors.txt; mkfifo errors.txt; exit 1" }),
};
writeFiles(root, toolFiles(TOOLS));

const precious = (path: string) => async () => assert.equal(await readFile(path, "utf8"), "precious\n");
const unchanged = precious(join(study, "counts.txt"));
const unchangedBelow = precious(join(study, "sub/counts.txt"));

const FILE = { class: "File", location: "weft-data://study/counts.txt" };
const FOLDER = { class: "Directory", location: "weft-data://study/sub" };

for (const setting of ["auto", "none"] as const) {
  const stateFolder = join(root, `state-${setting}`);
  const engine = await openTestEngine(root, { stateFolder, dataFolders: { study }, jobSandbox: setting });
  after(() => engine.stop("cancel"));
  const run = (id: string, given: unknown) => runToEnd(engine, { tool: id, inputs: { given: given as never } });
  const textOf = (runId: string, path: string) =>
    readFile(join(stateFolder, "runs", runId, "jobs/main@1", path), "utf8");
  const { run_id } = await run("both", "");
  const skipped = { skip: lacks("bwrap") };
  const isClosedIn = engine.runs.job(caller, run_id, "main").sandbox?.kind === "bubblewrap";

  describe(`streams of a job (sandbox: ${setting}, ${isClosedIn ? "bubblewrap" : "no sandbox"})`, () => {
    for (const id of ["stdout", "stderr", "renamed", "writable", "literal"])
      it(`never replace a staged file of the same name (${id})`, async () => {
        const ended = await run(id, FILE);
        await unchanged();
        assert.equal(ended.state_reason?.code, "STAGE_IN");
        const stream = id === "stderr" || id === "literal" ? "stderr" : "stdout";
        assert.match(ended.state_reason?.message ?? "", new RegExp(`\`${stream}\`.*counts\\.txt`));
      });

    it("are written into a copy of a staged folder, never into the folder itself", async () => {
      const ended = await run("folder", FOLDER);
      await unchangedBelow();
      assert.equal(ended.state_reason, null);
      assert.equal(await textOf(ended.run_id, "out/sub/counts.txt"), "new\n");
    });

    it("may share one name", async () => assert.equal(await textOf(run_id, "out/log.txt"), "said\n"));

    it("read standard input through the staged link", async () => {
      const ended = await run("stdin", FILE);
      assert.equal(await textOf(ended.run_id, "out/seen.txt"), "precious\n");
    });

    // Without a sandbox, a job has the rights of the server's account.
    for (const path of setting === "none" ? [] : [join(root, "state-auto/weft.db"), "../../../../../weft.db"])
      it(`read nothing that the job cannot see (${path.slice(0, 3)})`, skipped, async () => {
        const ended = await run("peek", path);
        assert.equal(ended.state, "EXECUTOR_ERROR");
        const { stderr_tail } = engine.runs.job(caller, ended.run_id, "main");
        assert.match(stderr_tail ?? "", /weft\.db: No such file|cannot open .*weft\.db/);
      });

    for (const id of ["swap", "fifo"])
      it(`are not read through a link with which the job replaced them (${id})`, async () => {
        const ended = await run(id, "");
        assert.equal(ended.state, "EXECUTOR_ERROR");
        const { stderr_tail } = engine.runs.job(caller, ended.run_id, "main");
        assert.doesNotMatch(JSON.stringify([ended, stderr_tail ?? ""]), /precious/);
      });
  });
}
