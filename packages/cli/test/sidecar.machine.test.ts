import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { expectSuccess } from "../src/testing/run-in-process.ts";

const tool = (script: string, outputs: object) => ({
  class: "CommandLineTool",
  baseCommand: ["sh", "-c", script],
  inputs: {
    text: { type: "File", inputBinding: { position: 1 } },
    program: { type: "File", default: { class: "File", location: "program.txt" } },
  },
  outputs,
});
const NETWORK = {
  cwlVersion: "v1.2",
  class: "Workflow",
  requirements: { ScatterFeatureRequirement: {}, MultipleInputFeatureRequirement: {} },
  inputs: { texts: "File[]" },
  outputs: {
    copies: { type: "File[]", outputSource: "copy/made" },
    folder: { type: "Directory", outputSource: "gather/made" },
    passed: { type: "File", outputSource: "texts", linkMerge: "merge_flattened", pickValue: "first_non_null" },
    own: { type: "File", outputSource: "name/made" },
  },
  steps: {
    copy: {
      run: { ...tool('cat "$0"', { made: "stdout" }), stdout: "$(inputs.text.nameroot).csv" },
      scatter: "text",
      in: { text: "texts" },
      out: ["made"],
    },
    gather: {
      run: tool('mkdir made; cp "$0" made/in.txt', { made: { type: "Directory", outputBinding: { glob: "made" } } }),
      in: { text: { source: "texts", pickValue: "first_non_null" } },
      out: ["made"],
    },
    name: {
      run: tool("echo mine > a.csv.prov.json", { made: { type: "File", outputBinding: { glob: "*.json" } } }),
      in: { text: { source: "texts", pickValue: "first_non_null" } },
      out: ["made"],
    },
  },
};

interface Sidecar {
  readonly entity: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly activity: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly used: Readonly<Record<string, { readonly "prov:entity": string; readonly "prov:activity": string }>>;
}

describe("weft run --sidecar", async () => {
  const texts = { "a.txt": "a\n", "b.txt": "b\n" };
  const cwd = temporaryFolder({ ...texts, "program.txt": "program\n", "network.cwl": JSON.stringify(NETWORK) });
  const outdir = join(cwd, "out");
  const words = [
    "run",
    "--quiet",
    "--sidecar",
    "--outdir",
    outdir,
    "network.cwl",
    "--texts",
    "a.txt",
    "--texts",
    "b.txt",
  ];
  const first = await expectSuccess(words, { cwd });
  const read = async (name: string) => JSON.parse(await readFile(join(outdir, name), "utf8")) as Sidecar; // as just written

  it("writes one next to each output, including folders and passed inputs, but none into folders", async () => {
    const names = ["a.csv", "a.csv.prov.json", "a.txt", "b.csv", "made"];
    const expected = new Set([...names, ...names.map((name) => `${name}.prov.json`)]);
    assert.deepEqual(new Set(await readdir(outdir)), expected);
    assert.deepEqual(await readdir(join(outdir, "made")), ["in.txt"]);
  });

  it("names the job that wrote the file, its command and inputs, with checksums, and nothing about other jobs", async () => {
    const { entity, activity, used } = await read("b.csv.prov.json");
    const [, job] = Object.entries(activity).find(([id]) => id.includes("#job/")) ?? [];
    assert.equal(Object.keys(activity).length, 2);
    assert.equal(job?.["weft:exitCode"], 0);
    assert.match(String(job?.["weft:command"]), /^\["sh","-c","cat/);
    const [sha256, programSha256] = ["b\n", "program\n"].map((text) => createHash("sha256").update(text).digest("hex"));
    const files = Object.values(entity).filter((file) => "weft:size" in file);
    const found = files.map((file) => `${String(file["prov:label"])} ${String(file["weft:sha256"])}`);
    const expected = [`b.txt ${sha256}`, `program.txt ${programSha256}`, `b.csv ${sha256}`, `b.csv ${sha256}`];
    assert.deepEqual(found, expected);
    assert.equal(Object.keys(used).length, 2);
    const plan = Object.entries(entity).find(([id]) => id.endsWith("#process"))?.[1];
    assert.match(String(plan?.["weft:digest"]), /^sha256:/);
    assert.equal("weft:version" in (plan ?? {}), false);
  });

  it("does not overwrite an output that has the name, and says so", async () => {
    assert.equal(await readFile(join(outdir, "a.csv.prov.json"), "utf8"), "mine\n");
    assert.match(first.stderr, /a\.csv\.prov\.json could not be written: an output already has that name/);
  });

  it("names only the run of a file that no job wrote", async () => {
    const { activity, used } = await read("a.txt.prov.json");
    assert.deepEqual([Object.keys(activity).map((id) => id.replace(/[0-9a-f-]{36}$/, "ID")), used], [["run:ID"], {}]);
  });
});
