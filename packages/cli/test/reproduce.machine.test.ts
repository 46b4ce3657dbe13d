import assert from "node:assert/strict";
import { appendFile, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { expectExit, expectSuccess, weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const root = temporaryFolder();

/** Reads its input and an undeclared file; without the file, it fails. */
const HIDDEN = join(root, "hidden");
const TOOL = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  requirements: { InlineJavascriptRequirement: {} },
  baseCommand: ["sh", "-c", `cat "$0" && cat ${HIDDEN}`],
  inputs: { text: { type: "File", inputBinding: { position: 1 } } },
  outputs: { table: "stdout", seven: { type: "int", outputBinding: { outputEval: "$(7)" } } },
  stdout: "table.csv",
};
const hide = (value: string) => writeFile(HIDDEN, `value,${value}\n`);
const catalog = join(root, "catalog");
writeFiles(catalog, { "tools/read/1.0.0/read.cwl": JSON.stringify(TOOL), "data/a.txt": "a,1\n" });
await hide("2.0");

describe("weft reproduce of a crate", async () => {
  const crate = join(root, "crate");
  const document = join(catalog, "tools/read/1.0.0/read.cwl");
  const flags = ["--quiet", "--outdir", join(root, "out"), "--provenance", crate];
  await expectSuccess(["run", ...flags, document, "--text", join(catalog, "data/a.txt")]);

  const cases: Readonly<Record<string, readonly [value: string, flags: string[], code: number, expected: RegExp]>> = {
    "exits with 0 if all outputs are identical": [
      "2.0",
      [],
      0,
      /^Same document, same inputs: all 2 outputs are identical\.\n$/,
    ],
    "exits with 1 if an output differs, and says which and where": [
      "2.1",
      [],
      1,
      /1 of 2 outputs differs; .*output table\.\n {2}different {9}table: line 2, column 2: 2 and 2\.1\n {2}identical {9}1 other\n$/,
    ],
    "exits with 0 within the tolerance": [
      "2.1",
      ["--relative", "0.1"],
      0,
      /within tolerance {2}table: numbers differ by at most/,
    ],
  };
  for (const [what, [value, flags, code, expected]] of Object.entries(cases))
    it(what, async () => {
      await hide(value);
      const result = await weft(["reproduce", "--quiet", ...flags, crate]);
      assert.match(result.stdout, expected);
      assert.deepEqual([result.code, result.stderr], [code, ""]);
    });

  it("prints the verdict as JSON for programs, and keeps the new outputs on request", async () => {
    await hide("2.1");
    const outdir = join(root, "again");
    const { code, stdout } = await weft(["reproduce", "--quiet", "--json", "--outdir", outdir, crate]);
    const result = JSON.parse(stdout);
    assert.deepEqual(
      [code, result.state, result.verdict.result, result.verdict.outputs_compared],
      [1, "COMPLETE", "different", 2],
    );
    assert.match(result.of, /^[0-9a-f-]{36}$/);
    assert.deepEqual(await readdir(outdir), ["table.csv"]);
    assert.equal(await readFile(join(outdir, "table.csv"), "utf8"), "a,1\nvalue,2.1\n");
  });

  it("exits with 1 if the new run fails, and says why", async () => {
    await rm(HIDDEN);
    const { code, stdout } = await weft(["reproduce", "--quiet", crate]);
    await hide("2.0");
    assert.equal(code, 1);
    assert.match(stdout, /the first succeeded, the second failed/);
    assert.match(stdout, /\nThe new run ended as EXECUTOR_ERROR:\n {2}\S/);
  });

  it("exits with 3 if the crate was changed, and runs nothing", async () => {
    const changed = join(root, "changed");
    await cp(crate, changed, { recursive: true });
    await appendFile(join(changed, "outputs/table.csv"), "more\n");
    const message = /The crate has been changed since it was made: file outputs\/table\.csv/;
    assert.equal((await expectExit(["reproduce", "--quiet", changed], 3, message)).stdout, "");
  });

  const wrong: [string[], RegExp][] = [
    [[], /missing required argument 'run\|crate'/],
    [[join(root, "nothing")], /nothing is neither a crate nor a run ID/],
    [["--relative", "2", crate], /--relative must be a number from 0 to 1, not "2"/],
    [["--absolute", "some", crate], /--absolute must be a number of at least 0, not "some"/],
    [["--state", root, "019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f"], /is not a state folder of Weft; set --state/],
  ];
  for (const [args, expected] of wrong)
    it(`exits with 2 for ${args.slice(0, -1).join(" ") || "no run"}: ${expected.source}`, async () =>
      void (await expectExit(["reproduce", ...args], 2, expected)));
});

describe("weft reproduce of a run", async () => {
  const state = join(root, "state");
  const server = await serve(["--state", state, "--catalog", catalog]);
  const client = createClient(server.address);
  await hide("2.0");
  const body = { tool: "read", inputs: { text: { class: "File", location: "weft-data://catalog/data/a.txt" } } };
  const runId = await startRun(client, body);
  await untilRun(client, runId);

  it("lets the server run it again and waits for the verdict", async () => {
    const { stdout, stderr } = await expectSuccess(["reproduce", "--state", state, "--json", runId]);
    const result = JSON.parse(stdout);
    assert.deepEqual([result.of, result.state, result.verdict.result], [runId, "COMPLETE", "identical"]);
    assert.ok(stderr.includes(`started run ${result.run_id}`));
    const reproduced = await client("GET /api/runs/{run_id}", { params: { run_id: result.run_id } });
    assert.equal(reproduced.reproduction?.of, runId);
  });

  it("exits with 3 for a run that the server does not know", async () => {
    const unknown = "019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f";
    await expectExit(["reproduce", "--state", state, unknown], 3, /There is no run 019a9c5e/);
  });

  it("reproduces the zip of a run that a server provides, without that server", async () => {
    const answer = await fetch(`${server.address}/api/runs/${runId}/provenance?format=ro-crate`);
    const zip = join(root, "crate.zip");
    await writeFile(zip, Buffer.from(await answer.arrayBuffer()));
    const { stdout } = await expectSuccess(["reproduce", "--quiet", "--json", zip]);
    assert.equal(JSON.parse(stdout).of, runId);
  });
});
