import assert from "node:assert/strict";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { untilRun } from "../src/testing/follow-run.ts";
import { weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const TAKES_ANY = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: "true"
inputs: { value: Any }
outputs: {}
`;
const WRITES_OUTPUTS = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, 'printf %s "$1" > cwl.output.json', sh]
inputs: { text: { type: string, inputBinding: {} } }
outputs: { out: Any }
`;
const NAMES = [1, 2, 3].map((levels) => `${"../".repeat(levels)}mallory.txt`);

const root = temporaryFolder({
  "catalog/tools/takes-any/1.0.0/takes-any.cwl": TAKES_ANY,
  "catalog/tools/writes-outputs/1.0.0/writes-outputs.cwl": WRITES_OUTPUTS,
  "work/here/": "",
});
const catalog = join(root, "catalog");

const documentOf = (id: string) => join(catalog, "tools", id, "1.0.0", `${id}.cwl`);
const forged = (basename: string) => ({ class: "File", basename, contents: "forged" });
/** Every place where a value can hold a forged File, with the pointer to its name. */
const PLACES = (name: string): readonly (readonly [unknown, string])[] => [
  [forged(name), "/basename"],
  [{ deep: [forged(name)] }, "/deep/0/basename"],
  [{ ...forged("a"), secondaryFiles: [forged(name)] }, "/secondaryFiles/0/basename"],
  [{ class: "Directory", basename: "d", listing: [forged(name)] }, "/listing/0/basename"],
];
const forgedFiles = async () => (await readdir(root, { recursive: true })).filter((name) => name.includes("mallory"));

describe("weft run with a File whose name leads out of its folder", () => {
  const cwd = join(root, "work", "here");
  const run = async (id: string, inputs: unknown) => {
    const path = join(root, "inputs.json");
    await writeFile(path, JSON.stringify(inputs));
    const outdir = join(cwd, "out");
    const result = await weft(["run", "--quiet", "--outdir", outdir, documentOf(id), path], {
      cwd,
      env: { ...process.env, TMPDIR: root },
    });
    await rm(path);
    return result;
  };

  it("refuses it in the input object, and names the field", async () => {
    const name = NAMES[1] ?? "";
    for (const [value] of PLACES(name)) {
      const { code, stderr } = await run("takes-any", { value });
      const column = JSON.stringify({ value }).indexOf(JSON.stringify(name)) + 1;
      assert.equal(code, 1);
      assert(
        stderr.includes(`inputs.json:1:${column}: error: value: \`${name}\` cannot be the name of a File`),
        stderr,
      );
      assert.match(stderr, /make `basename` a single name/);
    }
    assert.deepEqual(await forgedFiles(), []);
  });

  it("refuses it in a cwl.output.json, names the field, and writes nothing", async () => {
    for (const name of NAMES) {
      const [value, pointer] = PLACES(name)[NAMES.indexOf(name)] ?? [];
      const { code, stderr, stdout } = await run("writes-outputs", { text: JSON.stringify({ out: value }) });
      assert.equal(code, 1);
      assert.match(stderr, /cannot be the name of a File/);
      assert(stderr.includes(`/out${pointer}`), stderr);
      assert.doesNotMatch(stdout, /mallory/);
    }
    assert.deepEqual(await forgedFiles(), []);
  });
});

describe("a WES request with a File whose name leads out of its folder", () => {
  it("is refused with the field, or its run fails, and nothing is written", async () => {
    const server = await serve(["--state", join(root, "state"), "--catalog", catalog]);
    const start = (id: string, params: unknown) => {
      const body = new FormData();
      const fields = {
        workflow_type: "CWL",
        workflow_type_version: "v1.2",
        workflow_url: id,
        workflow_params: JSON.stringify(params),
      };
      for (const [name, text] of Object.entries(fields)) body.append(name, text);
      return fetch(`${server.address}/ga4gh/wes/v1/runs`, { method: "POST", body });
    };
    for (const name of NAMES)
      for (const [value, pointer] of PLACES(name)) {
        const answer = await start("takes-any", { value });
        const text = await answer.text();
        assert.equal(answer.status, 400, text);
        assert.match(text, /cannot be the name of a File/);
        assert(text.includes(`/inputs/value${pointer}`), text);
      }
    const started = await start("writes-outputs", { text: JSON.stringify({ out: forged(NAMES[0] ?? "") }) });
    const { run_id: id } = (await started.json()) as { readonly run_id: string }; // the declared answer
    const run = await untilRun(createClient(server.address), id);
    assert.equal(run.state, "EXECUTOR_ERROR");
    assert.match(run.state_reason?.message ?? "", /\/out\/basename: `\.\.\/mallory\.txt` cannot be the name of a File/);
    await server.stop("SIGTERM");
    assert.deepEqual(await forgedFiles(), []);
  });
});
