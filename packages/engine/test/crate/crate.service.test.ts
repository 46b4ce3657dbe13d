import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { access, appendFile, cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { findingText } from "../../src/provenance/verify/finding.ts";
import { verifyCrate } from "../../src/provenance/verify/verify-crate.ts";
import { column, columns } from "../../src/testing/columns.ts";
import { startRun, verdictOf } from "../../src/testing/drive-runs.ts";
import { crateViolations, type Entity } from "./crate-rules.ts";
import { caller, CrateRuns, file, naming, nested, payloadOf, thirdTime } from "./crate-runs.ts";
import { unmetRecommendations } from "./crate-recommendations.ts";
import { provenanceOf } from "../../src/testing/ask-runs.ts";

const runs = await CrateRuns.open();
const { engine, root } = runs;

describe("the crate of a run", () => {
  for (const kind of runs.kinds())
    it(`satisfies every rule and recommendation of the profiles for ${kind.what}, and nothing in it was changed`, async () => {
      const run = await runs.runKind(kind);
      assert.equal(run.state, kind.state, run.state_reason?.message ?? "");
      if (kind.isCached === true) assert.equal(run.progress.jobs_cached, run.progress.jobs_done);
      const crate = await runs.crateOf(run);
      assert.deepEqual([crate.violations, crate.wishes], [[], []]);
      assert.deepEqual((await verifyCrate(crate.folder)).findings, []);
    });

  for (const body of [naming, nested, { network: "say", inputs: { word: "x" } }])
    it(`names nothing outside of it in the document and objects of ${body.network ?? ""}`, async () => {
      const { folder } = await runs.crateOf(await runs.run(body));
      const names = ["workflow.cwl", "inputs.json", "outputs.json"];
      const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
      const locations = texts.flatMap((text) => [...text.matchAll(/"location": ?"([^"]*)"/g)].map(([, at = ""]) => at));
      assert.notEqual(locations.length, 0);
      for (const location of locations) await access(join(folder, decodeURIComponent(location)));
    });

  it("contains files that the document names, and secondary files next to their file", async () => {
    const { folder } = await runs.crateOf(await runs.run(naming));
    const document = await readFile(join(folder, "workflow.cwl"), "utf8");
    assert.match(document, /"\$schemas":\["inputs\/document\/formats.ttl"\]/);
    assert.match(document, /"location":"inputs\/document\/a%20file.txt"/);
    const second = join(folder, "inputs/texts/2/one.bam");
    assert.equal(await readFile(second, "utf8"), "another one\n");
    assert.equal(await readFile(`${second}.idx`, "utf8"), "another index\n");
  });

  it("also has lists of files and fields of records as single values, from which programs make inputs", async () => {
    const run = await runs.run(naming);
    const { graph } = await runs.crateOf(run);
    const byId = new Map(graph.map((one) => [one["@id"], one]));
    const value = (name: string) => byId.get(`#value/${run.run_id}/in/${name}`)?.["value"];
    const fields = (value("settings") as { "@id": string }[]).map((field) => byId.get(field["@id"]) ?? {});
    assert.deepEqual(columns(fields, "name", "value"), [
      ["word", "a"],
      ["times", "2"],
    ]);
    const parameter = graph.find((one) => String(one["@id"]).endsWith("/in/texts") && one["multipleValues"] === "True");
    assert.equal(parameter?.["additionalType"], "Collection");
    assert.deepEqual(value("texts"), [{ "@id": "inputs/texts/one.bam" }, { "@id": "inputs/texts/2/one.bam" }]);
  });

  it("contains a page about the run that links only to files of the crate, and shows names as text", async () => {
    const name = "<script>alert(1)</script> & more";
    const run = await runs.run({ network: "shout-all", name, inputs: { texts: [file("one.txt")] } });
    const { folder, graph } = await runs.crateOf(run);
    const page = await readFile(join(folder, "report.html"), "utf8");
    assert.match(page, /<h1>&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; more<\/h1>/);
    assert.doesNotMatch(page, /<script|https?:|file:/);
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link).sort();
    assert.deepEqual(links, ["inputs/texts/one.txt", "outputs/one.loud.txt"]);
    const ids = new Set(graph.map((one) => one["@id"]));
    assert.ok(links.every((link) => ids.has(link)));
    assert.match(page, /<h2>Outputs: values<\/h2>/);
    const jobs = page.slice(page.indexOf("<h2>Jobs</h2>"));
    assert.equal(jobs.match(/<td>COMPLETE<\/td>/g)?.length, run.progress.jobs_done);
  });

  it("describes a scattered network as one control of its calls, and the jobs of each call by step", async () => {
    const { of } = await runs.crateOf(await runs.run(nested));
    const controls = Object.fromEntries(of("ControlAction").map((one) => [one["@id"], [one["object"]].flat().length]));
    assert.deepEqual(controls, {
      "#control/each/once": 3,
      "#control/each/again": 3,
      "#control/folder": 1,
      "#control/each": 3,
    });
    // A program that never ran has no version but that of the document.
    const tools = of("SoftwareApplication")
      .map((one) => [one["name"], one["version"]])
      .filter(([name]) => name !== "once");
    assert.deepEqual(tools, [
      ["Weft", "7.8.9"],
      ["Shout", "1.2.0"],
      ["folder", "1.0.0"],
    ]);
  });

  it("keeps equal files apart, and recognizes the published copy as the output of its job", async () => {
    const texts = [file("one.txt"), file("one.txt")];
    const { of, graph } = await runs.crateOf(await runs.run({ network: "shout-all", inputs: { texts } }));
    const louds = of("File").filter((one) => String(one["@id"]).startsWith("outputs/"));
    const names = ["outputs/one.loud.txt", "outputs/one.loud_2.txt"];
    assert.deepEqual(column(louds, "@id"), names);
    assert.equal(new Set(column(louds, "sha256")).size, 1);
    const made = graph.filter((one) => String(one["@id"]).startsWith("#job/")).flatMap((one) => one["result"] ?? []);
    assert.deepEqual(column(made as Entity[], "@id"), names);
  });

  it("names the failure and keeps the attempts before the last", async () => {
    const { of, graph } = await runs.crateOf(await runs.run(thirdTime));
    const actions = of("CreateAction").map((one) => [one["@id"], String(one["actionStatus"]).split("/").at(-1)]);
    assert.deepEqual(actions, [
      ["#job/main/attempt/1", "FailedActionStatus"],
      ["#job/main/attempt/2", "FailedActionStatus"],
      ["#job/main", "CompletedActionStatus"],
    ]);
    assert.match(String(graph.find((one) => one["@id"] === "#job/main/attempt/1")?.["error"]), /TOOL_EXIT.*75/);
  });

  it("names missing files by their addresses", async () => {
    const run = await runs.run({ network: "shout-all", inputs: { texts: [file("two.txt")] } });
    const input = join(root, "catalog/data/two.txt");
    const text = await readFile(input, "utf8");
    await rm(input);
    const { of, violations } = await runs.crateOf(run);
    await writeFile(input, text);
    assert.deepEqual(violations, []);
    const gone = of("File").find((one) => one["@id"] === "weft-data://catalog/data/two.txt");
    assert.equal(gone?.["sha256"], hash("sha256", text));
  });

  it("names the tools of a reproduced run like the catalog, and reports no false difference", async () => {
    const original = await runs.run(nested);
    const again = await engine.runs.reproduce(caller, original.run_id, {});
    const { result, surroundings } = await verdictOf(engine, again.run_id);
    assert.deepEqual([result, surroundings], ["identical", []]);
    const tools = column((await runs.crateOf(again)).of("SoftwareApplication"), "version");
    assert.deepEqual([...tools.slice(0, 2), tools.at(-1)], ["7.8.9", "1.2.0", "1.0.0"]);
  });

  it("names the source of a reused result, and says that nothing ran", async () => {
    await runs.run(nested);
    const run = await runs.run(nested);
    const { of } = await runs.crateOf(run);
    const job = of("CreateAction").find((one) => one["@id"] === "#job/folder");
    const description = /^Not run again: reused the result of the job folder of the run \S+, which ran: sh /;
    assert.match(String(job?.["description"]), description);
    assert.equal(job?.["resourceUsage"], undefined);
  });

  it("is refused while the run is open", async () => {
    const runId = await startRun(engine, { tool: "act", inputs: { how: "hang" } });
    await assert.rejects(async () => provenanceOf(engine).crateMetadata(caller, runId), { code: "conflict" });
    await engine.runs.abort(caller, runId, 10_000);
  });
});

describe("verifyCrate", () => {
  const tampering: Readonly<Record<string, readonly [(folder: string) => Promise<unknown>, RegExp]>> = {
    "an output": [
      (at) => appendFile(join(at, "outputs/one.loud.txt"), "!"),
      /^file outputs\/one\.loud\.txt: its content/,
    ],
    "a file that was taken away": [(at) => rm(join(at, "inputs.json")), /^file inputs\.json: is missing/],
    "a file that was put there": [(at) => writeFile(join(at, "outputs/more.txt"), ""), /more\.txt: is not listed/],
    "the document": [(at) => appendFile(join(at, "workflow.cwl"), " "), /^file workflow\.cwl: its content/],
    "an event": [
      (at) => replaceIn(join(at, "weft/events.jsonl"), '"exit_code":0', '"exit_code":1'),
      /^event \d+ \(job\.(exited|ended) of job shout-0 .* does not match its hash/,
    ],
    "a recorded object": [
      (at) => replaceIn(join(at, "weft/documents.jsonl"), "one.txt", "two.txt"),
      /^document sha256:[0-9a-f]{64}: its text was changed/,
    ],
    "an output together with its entry in the metadata": [forge, /^output one\.loud\.txt: no file has the content/],
  };
  for (const [what, [tamper, expected]] of Object.entries(tampering))
    it(`finds ${what} that was changed`, async () => {
      const { folder } = await runs.crateOf(await plain);
      const copy = `${folder}-tampered`;
      await cp(folder, copy, { recursive: true });
      await tamper(copy);
      const texts = (await verifyCrate(copy)).findings.map(findingText).join("\n");
      assert.match(texts, new RegExp(expected, "m"));
    });
});

const plain = runs.run({ network: "shout-all", inputs: { texts: [file("one.txt")] } });

async function replaceIn(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(path, "utf8");
  assert.ok(text.includes(from));
  await writeFile(path, text.replace(from, to));
}

/** An attacker who knows the format of crates. */
async function forge(folder: string): Promise<void> {
  const path = join(folder, "outputs/one.loud.txt");
  const before = hash("sha256", await readFile(path));
  await writeFile(path, "TWO\n");
  await replaceIn(join(folder, "ro-crate-metadata.json"), before, hash("sha256", "TWO\n"));
}

describe("crateViolations", () => {
  const faults: Readonly<Record<string, readonly [(graph: Map<string, Record<string, unknown>>) => void, RegExp]>> = {
    "a reference that leads nowhere": [(graph) => (at(graph, "./")["author"] = { "@id": "#x" }), /leads nowhere: #x/],
    "a missing license": [(graph) => delete at(graph, "./")["license"], /has no license/],
    "a wrong checksum": [
      (graph) => (at(graph, "README.md")["sha256"] = "0"),
      /README\.md has content that does not match/,
    ],
    "a file that is not part of the crate": [(graph) => (at(graph, "./")["hasPart"] = []), /not reached by hasPart/],
    "a time with Z": [(graph) => (at(graph, "#job/shout-0")["endTime"] = "2026-01-01T00:00:00.000Z"), /wrong endTime/],
    "an action without instrument": [(graph) => delete at(graph, "#job/shout-0")["instrument"], /has no instrument/],
    "a step that nothing reaches": [(graph) => delete at(graph, "workflow.cwl")["step"], /is not reached by step/],
    "a parameter without type": [
      (graph) => delete at(graph, "#parameter/main/in/texts")["additionalType"],
      /additionalType/,
    ],
    "a control without jobs": [
      (graph) => delete at(graph, "#control/shout")["object"],
      /are not of the type CreateAction/,
    ],
    "a tool that did nothing": [
      (graph) => (at(graph, "workflow.cwl")["hasPart"] = [{ "@id": "#engine/weft" }]),
      /and nothing was done with it/,
    ],
    "a reference as a text": [
      (graph) => (at(graph, "./")["author"] = "#person/ann"),
      /refers to #person\/ann by a text/,
    ],
    "one object without a list": [
      (graph) => (at(graph, "#job/shout-0")["object"] = { "@id": "inputs.json" }),
      /is not a list/,
    ],
    "an application without an address": [
      (graph) => delete at(graph, "#engine/weft")["url"],
      /#engine\/weft has no url/,
    ],
  };
  for (const [what, [plant, expected]] of Object.entries(faults))
    it(`finds ${what}`, async () => {
      const { graph, folder } = await runs.crateOf(await plain);
      const copy = structuredClone(graph) as Record<string, unknown>[];
      plant(new Map(copy.map((entity) => [String(entity["@id"]), entity])));
      assert.match(crateViolations({ "@graph": copy }, await payloadOf(folder)).join("\n"), expected);
    });
});

function at(graph: Map<string, Record<string, unknown>>, start: string): Record<string, unknown> {
  const found = graph.get(start) ?? [...graph].find(([id]) => id.startsWith(`${start}/`))?.[1];
  assert.ok(found, `there is no ${start}`);
  return found;
}

describe("unmetRecommendations", () => {
  it("finds missing entries and dangling references", async () => {
    const { graph } = await runs.crateOf(await plain);
    const without = graph.map(({ author, ...entity }) => (entity["@id"] === "./" ? entity : { ...entity, author }));
    assert.deepEqual(unmetRecommendations(without), ["./ should have author"]);
    const lost = graph.filter((entity) => entity["@id"] !== "#person/ann");
    assert.match(unmetRecommendations(lost).join("\n"), /^#job\/shout-0 should have agent$/m);
  });
});
