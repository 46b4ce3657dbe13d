import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createEvaluator } from "../expression/evaluate.ts";
import { createQuickjsEngine } from "../expression/testing/quickjs-engine.ts";
import { effectiveRequirements } from "../model/effective-requirements.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { planJob, type JobPlanOptions } from "./plan-job.ts";
import { loadTool } from "./testing/load-process.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";

const script = createQuickjsEngine();
const RESOURCES = { cores: 1.5, ram: 100.2, tmpdirSize: 10, outdirSize: 20 };
const PATHS = { outdir: "/job/out", tmpdir: "/job/tmp", stagedir: "/job/in" };

const file = (name: string, more: object = {}) =>
  ({ class: "File", location: `file:///d/${name}`, basename: name, ...more }) as const;
const A = file("a.txt");
const B = file("b.txt");
const PAIR = file("x.bam", {
  secondaryFiles: [file("x.bam.bai"), { class: "Directory", location: "file:///d/x_idx", basename: "x_idx" }],
});
const DIR = { class: "Directory", location: "file:///d/dir", basename: "dir" } as const;

async function plan(yaml: string, inputs: CwlObject, more: Partial<JobPlanOptions> = {}) {
  const tool = await loadTool(
    `inputs: {a: "Any?", b: "Any?"}\noutputs: []\n${/^baseCommand|^arguments/m.test(yaml) ? "" : "baseCommand: x\n"}${yaml}`,
  );
  const requirements = effectiveRequirements([tool]);
  const evaluator = createEvaluator({ script, requirements, limits: TEST_LIMITS });
  return planJob({
    tool,
    requirements,
    inputs: { a: null, b: null, ...inputs },
    paths: PATHS,
    resources: RESOURCES,
    evaluator,
    ...more,
  });
}

const workDir = (listing: string) =>
  `requirements: {InlineJavascriptRequirement: {}, InitialWorkDirRequirement: {listing: ${listing}}}`;
const link = (name: string, target: string, of = "File") => ({ kind: "link", source: `file:///d/${name}`, target, of });
const copy = (name: string, target: string, of = "File") => ({ ...link(name, target, of), kind: "copy" });
const folder = (target: string) => ({ kind: "folder", target });
/** Files in a folder of their own, the first with its secondary files. */
const staged = (at: number, ...names: readonly string[]) => [
  folder(`/job/in/${at}`),
  ...names.map((name) => link(name, `/job/in/${at}/${name}`)),
];
const text = (target: string, content: string) => ({ kind: "text", text: content, target });

describe("staging", () => {
  const cases: Readonly<Record<string, readonly [yaml: string, inputs: CwlObject, staging: readonly object[]]>> = {
    nothing: ["", {}, []],
    "each file in a folder of its own": [
      "",
      { a: [A, A], b: B },
      [...staged(0, "a.txt"), ...staged(1, "a.txt"), ...staged(2, "b.txt")],
    ],
    "secondary files next to it": [
      "",
      { a: PAIR },
      [...staged(0, "x.bam", "x.bam.bai"), link("x_idx", "/job/in/0/x_idx", "Directory")],
    ],
    "a Directory as a whole": [
      "",
      { a: { ...DIR, listing: [A] } },
      [folder("/job/in/0"), link("dir", "/job/in/0/dir", "Directory")],
    ],
    literals: [
      "",
      {
        a: { class: "File", basename: "l.txt", contents: "hi" },
        b: { class: "Directory", basename: "l", listing: [A, { class: "Directory", basename: "in", listing: [PAIR] }] },
      },
      [
        folder("/job/in/0"),
        text("/job/in/0/l.txt", "hi"),
        folder("/job/in/1"),
        folder("/job/in/1/l"),
        link("a.txt", "/job/in/1/l/a.txt"),
        folder("/job/in/1/l/in"),
        link("x.bam", "/job/in/1/l/in/x.bam"),
        link("x.bam.bai", "/job/in/1/l/in/x.bam.bai"),
        link("x_idx", "/job/in/1/l/in/x_idx", "Directory"),
      ],
    ],
    "an input in the working folder": [
      workDir("[$(inputs.a)]"),
      { a: PAIR, b: B },
      [
        ...staged(1, "b.txt"),
        link("x.bam", "/job/out/x.bam"),
        link("x.bam.bai", "/job/out/x.bam.bai"),
        link("x_idx", "/job/out/x_idx", "Directory"),
      ],
    ],
    "lists, nulls and values": [
      workDir(
        "[$(inputs.a), $(inputs.b), $(null), [{class: File, location: v.txt}], {class: Directory, basename: e, listing: []}]",
      ),
      { a: [A, B] },
      [
        link("a.txt", "/job/out/a.txt"),
        link("b.txt", "/job/out/b.txt"),
        { ...link("", "/job/out/v.txt"), source: "file:///doc/v.txt" },
        folder("/job/out/e"),
      ],
    ],
    "an expression for the whole listing": [
      workDir("\"${return [inputs.a, {entry: inputs.b, entryname: 'c', writable: true}, null];}\""),
      { a: A, b: B },
      [link("a.txt", "/job/out/a.txt"), copy("b.txt", "/job/out/c")],
    ],
    "a writable entry under another name": [
      workDir("[{entry: $(inputs.a), entryname: n/m.txt, writable: true}]"),
      { a: A },
      [folder("/job/out/n"), copy("a.txt", "/job/out/n/m.txt")],
    ],
    "a text with expressions": [
      workDir('[{entryname: "$(inputs.b).sh", entry: "echo $(inputs.a.basename)\\n"}]'),
      { a: A, b: "run" },
      [...staged(0, "a.txt"), text("/job/out/run.sh", "echo a.txt\n")],
    ],
    "an empty text": [workDir('[{entryname: e, entry: ""}]'), {}, [text("/job/out/e", "")]],
    JSON: [
      workDir('[{entryname: j, entry: $(inputs.a)}, {entryname: k, entry: "$(inputs.b)\\n"}]'),
      { a: { y: [1, "2"], x: null }, b: 44.5 },
      [text("/job/out/j", '{"x": null, "y": [1, "2"]}'), text("/job/out/k", "44.5\n")],
    ],
    "an entry of null": [workDir("[{entryname: n, entry: $(inputs.a)}]"), {}, []],
    "a name inside of the output folder": [
      workDir("[{entryname: $(runtime.outdir)/sub/../t, entry: x}]"),
      {},
      [text("/job/out/t", "x")],
    ],
    "something inside a linked folder makes it a copy": [
      workDir("[$(inputs.a), {entryname: dir/extra, entry: x}]"),
      { a: DIR },
      [copy("dir", "/job/out/dir", "Directory"), text("/job/out/dir/extra", "x")],
    ],
    "Directories with one name merge": [
      workDir(
        "\"$([{class: 'Directory', basename: 'm', listing: [inputs.a]}, {class: 'Directory', basename: 'm', listing: [inputs.b]}])\"",
      ),
      { a: A, b: B },
      [folder("/job/out/m"), link("a.txt", "/job/out/m/a.txt"), link("b.txt", "/job/out/m/b.txt")],
    ],
    "folders for the streams": ["stdout: logs/out.txt", {}, [folder("/job/out/logs")]],
  };
  for (const [name, [yaml, inputs, staging]] of Object.entries(cases))
    test(name, async () => assert.deepEqual((await plan(yaml, inputs)).staging, staging));
});

describe("the plan", () => {
  test("assigns paths before it evaluates anything, including those in the working folder", async () => {
    const yaml = `${workDir("[{entry: $(inputs.a), entryname: moved.txt}]")}\narguments: [$(inputs.a.path), $(inputs.a.dirname), $(inputs.a.nameroot), $(inputs.b.path)]\nstdin: $(inputs.b.path)\nstdout: $(inputs.a.basename).out`;
    const { argv, stdin, stdout, stderr } = await plan(yaml, { a: A, b: B });
    assert.deepEqual(argv, ["/job/out/moved.txt", "/job/out", "moved", "/job/in/1/b.txt"]);
    assert.deepEqual([stdin, stdout, stderr], ["/job/in/1/b.txt", "moved.txt.out", undefined]);
  });

  test("gives paths to files inside a moved literal", async () => {
    const yaml = workDir("\"$([{class: 'Directory', basename: 'd', listing: [inputs.a]}])\"");
    assert.equal(Object((await plan(yaml, { a: A })).inputs["a"]).path, "/job/out/d/a.txt");
  });

  test("rounds the runtime up", async () => {
    const { outdir, tmpdir } = PATHS;
    const { runtime } = await plan("", {});
    assert.deepEqual(runtime, { outdir, tmpdir, cores: 2, ram: 101, outdirSize: 20, tmpdirSize: 10 });
  });

  test("contains the environment and the limits, or the specification's defaults", async () => {
    const yaml =
      "requirements: {EnvVarRequirement: {envDef: {A: $(inputs.a), N: '1$(runtime.cores)'}}, ToolTimeLimit: {timelimit: $(inputs.b)}, NetworkAccess: {networkAccess: true}, WorkReuse: {enableReuse: false}, InplaceUpdateRequirement: {inplaceUpdate: true}}";
    const settings = async (text: string, inputs: CwlObject = {}) => {
      const { environment, timeLimitSeconds, networkAccess, enableReuse, inplaceUpdate } = await plan(text, inputs);
      return [environment, timeLimitSeconds, networkAccess, enableReuse, inplaceUpdate];
    };
    assert.deepEqual(await settings(yaml, { a: "x y", b: 5 }), [{ A: "x y", N: "12" }, 5, true, false, true]);
    const defaults = await settings("requirements: {ToolTimeLimit: {timelimit: 0}}");
    assert.deepEqual(defaults, [{}, undefined, false, true, false]);
  });

  test("allows absolute names in a container that the tool requires", async () => {
    const yaml =
      "requirements: {DockerRequirement: {dockerPull: x}, InitialWorkDirRequirement: {listing: [{entryname: /etc/x.conf, entry: t}]}}";
    assert.deepEqual((await plan(yaml, {}, { inContainer: true })).staging, [folder("/etc"), text("/etc/x.conf", "t")]);
    await assert.rejects(plan(yaml, {}), { code: "STAGE_IN" });
    await assert.rejects(plan(yaml.replace("requirements", "hints"), {}, { inContainer: true }), { code: "STAGE_IN" });
  });
});

describe("refused", () => {
  const cases: Readonly<Record<string, readonly [yaml: string, inputs: CwlObject, failure: object]>> = {
    "an entry above the output folder": [
      workDir("[{entryname: ../x, entry: t}]"),
      {},
      { code: "STAGE_IN", place: "requirements.InitialWorkDirRequirement.listing.0" },
    ],
    "an entry that climbs out": [workDir("[{entryname: a/../../x, entry: t}]"), {}, { code: "STAGE_IN" }],
    "an entry at an absolute path": [
      workDir("[{entryname: /etc/passwd, entry: t}]"),
      {},
      { code: "STAGE_IN", message: /needs a container/ },
    ],
    "the output folder itself": [workDir("[{entryname: ., entry: t}]"), {}, { code: "STAGE_IN" }],
    "a text without a name": [workDir("[{entry: t}]"), {}, { code: "INPUT_INVALID" }],
    "a list with one name": [workDir("[{entryname: n, entry: $(inputs.a)}]"), { a: [A, B] }, { code: "INPUT_INVALID" }],
    "a listing of numbers": [workDir("[$(inputs.a)]"), { a: 3 }, { code: "EXPRESSION" }],
    "two files of one name": [
      workDir("[$(inputs.a), {entry: $(inputs.b), entryname: a.txt}]"),
      { a: A, b: B },
      { code: "STAGE_IN", message: /two different files would be staged as `\/job\/out\/a\.txt`/ },
    ],
    "secondary files of one name": [
      "",
      { a: { ...A, secondaryFiles: [{ ...B, basename: "a.txt" }] } },
      { code: "STAGE_IN" },
    ],
    "stdout outside": ["stdout: ../x", {}, { code: "STAGE_IN", place: "stdout" }],
    "stderr that is not a string": ["stderr: $(inputs.a)", { a: 1 }, { code: "EXPRESSION", place: "stderr" }],
    "a negative time limit": ["requirements: {ToolTimeLimit: {timelimit: -1}}", {}, { code: "INPUT_INVALID" }],
    "an empty command line": ["arguments: []", {}, { code: "INPUT_INVALID", place: "baseCommand" }],
  };
  for (const [name, [yaml, inputs, failure]] of Object.entries(cases))
    test(name, () => assert.rejects(plan(yaml, inputs), failure));
});

test("equal arguments give the same plan", async () =>
  assert.deepEqual(await plan("", { a: [A, PAIR], b: DIR }), await plan("", { a: [A, PAIR], b: DIR })));
