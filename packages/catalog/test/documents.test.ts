import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { catalogFolder, documentAt, filesLike, inputsAt, type Network, type Process, type Step } from "./documents.ts";

const LARGEST_DATA_BYTES = 1024 * 1024;
const ID = /^[a-z0-9][a-z0-9._-]*$/;
const toolPaths = filesLike("tools/*/*/*.cwl");
const networkPaths = filesLike("networks/*/*.cwl");
const examplePaths = filesLike("{tools/*/*,networks/*}/examples/*.yml");

/** All values of a document, at any depth. */
function* valuesIn(value: unknown): Generator {
  yield value;
  if (typeof value === "object" && value !== null) for (const one of Object.values(value)) yield* valuesIn(one);
}

function filesIn(value: unknown): string[] {
  return [...valuesIn(value)].flatMap((one) => {
    if (typeof one !== "object" || one === null || !("class" in one) || one.class !== "File") return [];
    const place = "location" in one ? one.location : "path" in one ? one.path : undefined;
    return typeof place === "string" ? [place] : [];
  });
}

function isOptional(process: Process, id: string): boolean {
  const input = process.inputs.find((one) => one.id === id);
  const types = [input?.type].flat();
  return (
    input?.default !== undefined ||
    types.some((type) => type === "null" || (typeof type === "string" && type.endsWith("?")))
  );
}

test("every version of every tool and network has tests", () => {
  for (const path of [...toolPaths, ...networkPaths])
    assert.ok(existsSync(join(catalogFolder, dirname(path), "tests")), path);
});

test("the catalog has its networks and tools where they belong, with good ids", () => {
  const found = networkPaths.map((path) => path.split("/")[1]);
  assert.deepEqual(found, ["imaging-cohort", "phantom-cohort", "practice-load", "subject-measures", "text-statistics"]);
  assert.equal(filesLike("**/*.cwl").length, toolPaths.length + networkPaths.length);
  for (const path of [...toolPaths, ...networkPaths]) assert.match(path.split("/")[1] ?? "", ID);
  for (const path of toolPaths) assert.match(path, /^tools\/([^/]+)\/\d+\.\d+\.\d+\/\1\.cwl$/);
});

for (const path of [...toolPaths, ...networkPaths]) {
  const document = documentAt(join(catalogFolder, path));
  const folder = dirname(join(catalogFolder, path));

  test(`${path}: is a v1.2 document that explains itself`, () => {
    assert.equal(document.cwlVersion, "v1.2");
    assert.ok(path.startsWith("networks/") === (document.class === "Workflow"));
    for (const part of [document, ...document.inputs, ...document.outputs])
      assert.ok(part.label && part.doc, JSON.stringify(part));
    const steps = document.class === "Workflow" ? (document as Network).steps.map((step) => step.id) : [];
    for (const list of [document.inputs.map((one) => one.id), document.outputs.map((one) => one.id), steps])
      assert.equal(new Set(list).size, list.length, `${list}`);
  });

  test(`${path}: names only files that exist, inside the catalog`, () => {
    for (const place of filesIn(document)) {
      const file = resolve(folder, place);
      assert.ok(existsSync(file), place);
      assert.ok(!relative(catalogFolder, file).startsWith(".."), place);
    }
  });

  test(`${path}: stages every module its programs import`, () => {
    const staged = filesIn(document).map((place) => resolve(folder, place));
    for (const file of staged.filter((one) => one.endsWith(".mjs"))) {
      const names = [...readFileSync(file, "utf8").matchAll(/(?:from|URL\() ?'\.\/([^']+)'/g)].map((match) => match[1]);
      const missing = names.filter((name) => !staged.some((one) => one.endsWith(`/${name}`)));
      assert.deepEqual(missing, [], file);
    }
  });

  test(`${path}: declares JavaScript exactly where it is used`, () => {
    const texts = [...valuesIn(document)].filter((value): value is string => typeof value === "string");
    const expressions = texts.filter((text) => /\$\{|\$\((?!\w+(\.\w+|\[\d+\])*\))/.test(text));
    const declared = (document.requirements ?? []).some((one) => one.class === "InlineJavascriptRequirement");
    assert.equal(declared, expressions.length > 0);
  });

  test(`${path}: has an example`, () => {
    assert.ok(examplePaths.some((example) => dirname(dirname(example)) === dirname(path)));
  });
}

for (const path of networkPaths) {
  const network = documentAt(join(catalogFolder, path)) as Network;
  const processOf = (step: Step) => documentAt(resolve(dirname(join(catalogFolder, path)), step.run));
  const sources = new Set([
    ...network.inputs.map((one) => one.id),
    ...network.steps.flatMap((step) => step.out.map((output) => `${step.id}/${output}`)),
  ]);

  test(`${path}: links only existing inputs and outputs`, () => {
    for (const output of network.outputs) assert.ok(sources.has(output.outputSource ?? ""), output.id);
    for (const step of network.steps) {
      assert.ok(step.label, step.id);
      const process = processOf(step);
      for (const input of step.in)
        assert.ok(input.source === undefined || sources.has(input.source), `${step.id}/${input.id}`);
      const outputs = new Set(process.outputs.map((one) => one.id));
      for (const output of step.out) assert.ok(outputs.has(output), `${step.id}/${output}`);
      const given = new Set(step.in.map((one) => one.id));
      for (const input of process.inputs)
        assert.ok(given.has(input.id) || isOptional(process, input.id), `${step.id} needs ${input.id}`);
      for (const axis of [step.scatter ?? []].flat()) assert.ok(given.has(axis), `${step.id} scatters over ${axis}`);
    }
  });

  test(`${path}: requires only the features that it uses`, () => {
    const needed = [
      ...(network.steps.some((step) => step.scatter !== undefined) ? ["ScatterFeatureRequirement"] : []),
      ...(network.steps.some((step) => processOf(step).class === "Workflow") ? ["SubworkflowFeatureRequirement"] : []),
    ];
    const shown = (network.requirements ?? []).map((one) => one.class);
    assert.deepEqual(shown, needed);
  });
}

for (const path of examplePaths) {
  test(`${path}: sets all required inputs, no unknown ones, and only existing files`, () => {
    const inputs = inputsAt(join(catalogFolder, path));
    const [owner] = filesLike(`${dirname(dirname(path))}/*.cwl`);
    const process = documentAt(join(catalogFolder, owner ?? ""));
    const declared = new Set(process.inputs.map((one) => one.id));
    for (const id of Object.keys(inputs)) assert.ok(declared.has(id), id);
    for (const { id } of process.inputs) assert.ok(id in inputs || isOptional(process, id), id);
    for (const place of filesIn(inputs))
      assert.ok(existsSync(resolve(dirname(join(catalogFolder, path)), place)), place);
  });
}

test("the data that ships stays small", () => {
  const bytes = filesLike("data/**/*")
    .map((path) => statSync(join(catalogFolder, path)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  assert.ok(bytes > 0 && bytes < LARGEST_DATA_BYTES, `${bytes}`);
});
