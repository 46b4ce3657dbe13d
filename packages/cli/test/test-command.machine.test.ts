import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { expectExit, expectSuccess, weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const SAY = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, 'cat "$0"; exit $1']
arguments: [$(inputs.text), $(inputs.code)]
inputs: {text: File, code: {type: int, default: 0}}
stdout: said.txt
outputs: {said: stdout}
`;
const root = temporaryFolder({ "catalog/tools/say/1.0.0/say.cwl": SAY, "catalog/tools/say/1.0.0/tests/": "" });
const tool = join(root, "catalog/tools/say/1.0.0");
const runTests = (...words: string[]) => weft(["test", ...words], { cwd: root });
const pass = (...words: string[]) => expectSuccess(["test", ...words], { cwd: root });
const text = 'inputs: {text: {class: File, basename: t.txt, contents: "a\\nb\\n"}';
const write = (name: string, content: string) => writeFileSync(join(tool, "tests", `${name}.yml`), content);
write("good", `${text}}\noutputs: {said: {lines: 2, contents: "a\\nb\\n"}}\n`);
write("fails", `${text}, code: 3}\nfails: 3\n`);

describe("weft test", () => {
  it("runs the tests of a catalog, of one tool, of one test", async () => {
    const all = await pass("catalog");
    assert.match(all.stdout, /^ok {5}say 1\.0\.0 fails \(.*\)\nok {5}say 1\.0\.0 good \(.*\)\n2 of 2 tests passed\n$/);
    assert.match((await pass("catalog", "say/1.0.0/good")).stdout, /^1 of 1/m);
    assert.match((await pass("say", "--catalog", "catalog", "--parallel", "2")).stdout, /^2 of 2/m);
    assert.match((await pass(join(tool, "tests/good.yml"))).stdout, /^1 of 1/m);
    await expectExit(["test", "catalog", "sing"], 2, /^weft: catalog has no tests of sing$/m, { cwd: root });
  });

  it("says where an expectation was not met, and writes reports", async (t) => {
    t.after(() => rmSync(join(tool, "tests/bad.yml")));
    t.after(() => rmSync(join(tool, "tests/wrong.yml")));
    write("bad", `${text}}\noutputs:\n  said: { lines: 3, contains: "<&>" }\n`);
    write("wrong", "output: {}\n");
    const files = ["--tap", "r.tap", "--junit", "r.xml"];
    const { code, stdout } = await runTests("catalog", "--quiet", ...files);
    assert.equal(code, 1);
    assert.match(stdout, /tests\/bad\.yml:3:18: outputs\.said\.lines: has 2 lines, expected 3\n/);
    assert.match(stdout, /tests\/wrong\.yml:1:1: error: unknown field `output`\n/);
    const tap = readFileSync(join(root, "r.tap"), "utf8");
    assert.match(tap, /^TAP version 14\n1\.\.4\nnot ok 1 - say 1\.0\.0 bad\n[^]*^ok 2 - say 1\.0\.0 fails\n/m);
    const xml = readFileSync(join(root, "r.xml"), "utf8");
    assert.match(xml, /<testsuite name="say 1\.0\.0" tests="4" failures="1" errors="1" time="[\d.]+">/);
    assert.match(xml, /does not contain &quot;&lt;&amp;&gt;&quot;/);
  });

  it("updates values only after confirmation, or with --yes", async (t) => {
    t.after(() => rmSync(join(tool, "tests/old.yml")));
    const old = `${text}}\noutputs:\n  said: { lines: 7 } # seven?\n`;
    write("old", old);
    const unconfirmed = await runTests("catalog", "--update");
    assert.equal(unconfirmed.code, 1);
    assert.match(
      unconfirmed.stdout,
      /@@ line 3\n- {2}said: \{ lines: 7 \} # seven\?\n\+ {2}said: \{ lines: 2 \} # seven\?\n/,
    );
    assert.equal(readFileSync(join(tool, "tests/old.yml"), "utf8"), old);
    await pass("catalog", "--update", "--yes");
    assert.equal(readFileSync(join(tool, "tests/old.yml"), "utf8"), old.replace("lines: 7", "lines: 2"));
  });

  it("runs a suite in the format of cwltest", async () => {
    writeFileSync(
      join(root, "suite.yml"),
      `- {id: good, tool: ${tool}/say.cwl, job: job.json, output: {said: {class: File, basename: said.txt, size: 3}}}
- {id: bad, tool: ${tool}/say.cwl, job: job.json, output: {said: {class: File, size: 4}}}
- {id: should-fail, tool: ${tool}/say.cwl, should_fail: true}
`,
    );
    writeFileSync(join(root, "job.json"), '{"text": {"class": "File", "basename": "x", "contents": "abc"}}');
    const { code, stdout } = await runTests("suite.yml");
    assert.equal(code, 1);
    assert.match(stdout, /^ok .*good[^]*^FAILED .*bad[^]*has 3 bytes, expected 4[^]*^ok .*should-fail/m);
  });

  it("writes a test from a run, which passes", async () => {
    const state = join(root, "state");
    const server = await serve(["--catalog", join(root, "catalog"), "--state", state]);
    const client = createClient(server.address);
    const inputs = { text: { class: "File", location: "data:,hello" } };
    const runId = await startRun(client, { tool: "say", inputs, name: "Say hello" });
    await untilRun(client, runId);
    const words = ["--from-run", runId, "--state", state, "--catalog", "catalog"];
    const { stdout } = await pass(...words);
    await server.stop("SIGTERM");
    assert.equal(stdout, `${join(tool, "tests/say-hello.yml")}\n`);
    await pass("catalog", "say/1.0.0/say-hello");
    assert.equal((await runTests(...words)).code, 2);
    const unknown = await runTests("--from-run", "0199e5a0-7b1c-7d2e-8f00-3a4b5c6d7e8f", "--state", state);
    assert.match(unknown.stderr, /has no run 0199e5a0/);
  });
});
