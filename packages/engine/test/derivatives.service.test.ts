import assert from "node:assert/strict";
import { readFile, readdir, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { indexDataset } from "@weft/shared/dataset/index-dataset.ts";
import { createAutomationSchema, type CreateAutomation } from "@weft/shared/records/automation-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { DatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { readFolder } from "../src/datasets/read-folder.ts";
import { Reach } from "../src/files/beneath/reach.ts";
import { runNow } from "../src/files/beneath/steps.ts";
import { caller, endedRun, retryRun, runToEnd, startRun, untilEvent } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { catalogExecutor, TEST_CATALOG } from "./test-catalog.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { column, columns } from "../src/testing/columns.ts";

const executor = catalogExecutor();

const root = temporaryFolder(TEST_CATALOG);
const [study, results] = [join(root, "study"), join(root, "results")];

const write = (path: string, content: string | object) =>
  writeFiles(root, { [path]: typeof content === "string" ? content : JSON.stringify(content) });
const addSubject = (subject: string) =>
  write(`study/${subject}/ses-1/anat/${subject}_ses-1_acq-high_T1w.nii`, `image of ${subject}\n`);

const PARTICIPANTS = "participant_id\tage\nsub-01\t31\nsub-02\tn/a\nsub-03\t47\nsub-04\t52\nsub-05\t60\n";
const BIDS = { BIDSVersion: "1.10.0" };
write("study/dataset_description.json", { Name: "Heads", ...BIDS, DatasetDOI: "doi:10.1/heads" });
write("study/participants.json", { age: { Description: "Age" } });
write("study/participants.tsv", PARTICIPANTS);
for (const n of [1, 2, 3, 4, 5]) addSubject(`sub-0${n}`);
write("results/raw/dataset_description.json", { Name: "Raw", ...BIDS });
write("results/files/notes.txt", "mine");
await symlink(study, join(results, "out"));

const engine = await openTestEngine(root, {
  executor,
  dataFolders: { study },
  sinks: { folders: { results }, umask: 0o022 },
  jobs: 2,
  automationIntervalMs: 50,
  actAs: () => ({ role: "runner", caller }),
});
after(() => engine.stop("cancel"));

const query = (...subjects: readonly string[]): DatasetQuery => ({
  location: "weft-data://study/",
  where: [
    { field: "suffix", op: "=", values: ["T1w"] },
    { field: "sub", op: "=", values: [...subjects] },
  ],
  per: ["sub"],
  columns: [{ kind: "file", name: "texts" }],
});
const request = (to: string, ...subjects: readonly string[]): CreateRun => ({
  network: "shout-all",
  dataset: { query: query(...subjects) },
  sink_data: { louds: to },
});
/** A run that writes its dataset. */
async function complete(body: CreateRun): Promise<Run> {
  const run = await runToEnd(engine, body);
  assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
  return run;
}
const read = (path: string) => readFile(join(results, path), "utf8");
// Every file that a test parses is an object of JSON.
const readJson = async (path: string) => JSON.parse(await read(path)) as Record<string, unknown>;
const placeOf = (dataset: string, subject: string, ending: string) =>
  `${dataset}/${subject}/ses-1/anat/${subject}_ses-1_acq-high_${ending}`;

/** The dataset as Weft's own reader sees it. */
function index(dataset: string) {
  const folder = join(results, dataset);
  return indexDataset(runNow(readFolder(folder, new Reach({ regions: [{ folder }] }), "bids")));
}

const subjectsOf = async (dataset: string) =>
  (await readdir(join(results, dataset))).filter((name) => name.startsWith("sub-")).sort();

describe("a run that writes a derivative dataset", () => {
  it("names files after their sources, and describes the dataset, its files and its participants", async () => {
    const run = await complete(request("bids://results/loud/desc-loud_T1w.nii", "01", "02"));
    assert.equal(await read(placeOf("loud", "sub-01", "desc-loud_T1w.nii")), "IMAGE OF SUB-01\n");
    assert.deepEqual(await readJson(placeOf("loud", "sub-01", "desc-loud_T1w.json")), {
      Description: "louds",
      Sources: ["bids:study:sub-01/ses-1/anat/sub-01_ses-1_acq-high_T1w.nii"],
    });
    assert.deepEqual(await readJson("loud/dataset_description.json"), {
      Name: "shout-all: derivatives of Heads",
      BIDSVersion: "1.10.0",
      DatasetType: "derivative",
      GeneratedBy: [
        {
          Name: "shout-all",
          Version: run.network?.digest,
          CodeURL: "weft-data://catalog/networks/shout-all/shout-all.cwl",
        },
        { Name: "Weft", Version: "test" },
      ],
      SourceDatasets: [{ URL: "weft-data://study/", DOI: "doi:10.1/heads" }],
      DatasetLinks: { study: "weft-data://study/" },
    });
    assert.equal(await read("loud/participants.tsv"), "participant_id\tage\nsub-01\t31\nsub-02\tn/a\n");
    assert.deepEqual(await readJson("loud/participants.json"), { age: { Description: "Age" } });
    assert.match(await read("loud/README.md"), /^# shout-all: derivatives of Heads\n/);
    assert.deepEqual(
      columns(run.placed, "sample_id", "uri"),
      ["sub-01", "sub-02"].map((name) => [name, `vfs://results/${placeOf("loud", name, "desc-loud_T1w.nii")}`]),
    );
    const { kind, problems, files } = index("loud");
    assert.deepEqual([kind, problems, files.length], ["bids", [], 7]);
  });

  it("extends the dataset with further subjects and changes nothing else", async () => {
    const first = placeOf("loud", "sub-01", "desc-loud_T1w.nii");
    const before = [(await stat(join(results, first))).mtimeMs, await read("loud/dataset_description.json")];
    write("results/loud/README.md", "Ours.\n");
    await complete(request("bids://results/loud/desc-loud_T1w.nii", "01", "03", "04", "05"));
    assert.deepEqual([(await stat(join(results, first))).mtimeMs, await read("loud/dataset_description.json")], before);
    assert.equal(await read("loud/participants.tsv"), PARTICIPANTS);
    assert.equal(await read("loud/README.md"), "Ours.\n");
    assert.deepEqual(index("loud").problems, []);
  });

  it("keeps foreign entries in the description and a sidecar", async () => {
    const description = { Name: "Ours", DatasetType: "derivative", GeneratedBy: [{ Name: "us" }], License: "CC0" };
    write("results/ours/dataset_description.json", description);
    write(`results/${placeOf("ours", "sub-01", "desc-loud_T1w.json")}`, { SkullStripped: false });
    write("results/ours/participants.tsv", "participant_id\tsite\tage\nsub-02\tA\t9");
    await complete(request("bids://results/ours/desc-loud_T1w.nii", "01"));
    const { Name, License, GeneratedBy } = await readJson("ours/dataset_description.json");
    assert.deepEqual([Name, License], ["Ours", "CC0"]);
    assert.deepEqual(column(GeneratedBy as { Name: string }[], "Name"), ["us", "shout-all", "Weft"]);
    assert.deepEqual(await readJson(placeOf("ours", "sub-01", "desc-loud_T1w.json")), { SkullStripped: false });
    assert.equal(await read("ours/participants.tsv"), "participant_id\tsite\tage\nsub-02\tA\t9\nsub-01\tn/a\t31\n");
    assert.deepEqual(index("ours").problems, []);
  });

  it("excludes files for which BIDS has no names, which get no sidecars", async () => {
    write("results/texts/dataset_description.json", { DatasetType: "derivative" });
    write("results/texts/.bidsignore", "*.log");
    await complete(request("bids://results/texts/desc-loud", "01"));
    assert.equal(await read("texts/.bidsignore"), "*.log\n*.prov.json\n*_desc-loud_T1w.txt\n");
    assert.deepEqual(index("texts").problems, [
      { kind: "file", name: placeOf("", "sub-01", "desc-loud_T1w.txt").slice(1), reason: "ignored by .bidsignore" },
    ]);
    assert.deepEqual((await readdir(join(results, "texts/sub-01/ses-1/anat"))).length, 1);
  });

  it("excludes files with provenance from the dataset", async () => {
    const options = { sidecars: true, cache: "off" } as const;
    await complete({ ...request("bids://results/told/desc-loud_T1w.nii", "01"), options });
    assert.deepEqual(columns(index("told").problems, "name", "reason"), [
      [placeOf("told", "sub-01", "desc-loud_T1w.nii.prov.json").replace("told/", ""), "ignored by .bidsignore"],
    ]);
  });

  it("writes nothing if a file with other content has one of the names", async () => {
    const taken = placeOf("taken", "sub-02", "desc-loud_T1w.nii");
    write("results/taken/dataset_description.json", { DatasetType: "derivative" });
    write(`results/${taken}`, "mine");
    const run = await runToEnd(engine, request("bids://results/taken/desc-loud_T1w.nii", "01", "02"));
    assert.deepEqual([run.state, run.outcome, run.state_reason?.code], ["SYSTEM_ERROR", "partial", "STAGE_OUT"]);
    assert.match(run.state_reason?.message ?? "", /sub-02_ses-1_acq-high_desc-loud_T1w\.nii already exists/);
    assert.deepEqual([run.placed, await read(taken)], [[], "mine"]);
    assert.deepEqual((await readdir(join(results, "taken"))).sort(), ["dataset_description.json", "sub-02"]);
    assert.deepEqual(await readJson("taken/dataset_description.json"), { DatasetType: "derivative" });
  });

  it("writes to the same names when it is retried without a query", async () => {
    const { run_id } = await runToEnd(engine, request("bids://results/again/desc-loud_T1w.nii", "01", "02"));
    await rm(join(results, "again"), { recursive: true });
    const retry = await retryRun(engine, run_id, { samples: ["sub-02"] });
    const ended = await endedRun(engine, retry.run_id);
    assert.equal(ended.state, "COMPLETE", ended.state_reason?.message ?? "");
    assert.deepEqual(await subjectsOf("again"), ["sub-02"]);
  });
});

describe("an automation that writes a derivative dataset", () => {
  const settings = (more: Partial<CreateAutomation> = {}) =>
    createAutomationSchema.parse({
      ...{ name: "New", network: "shout-all", trigger: { kind: "samples" }, settle_s: 0 },
      dataset: { query: { ...query("01"), where: [{ field: "suffix", op: "=", values: ["T1w"] }] } },
      sink_data: { louds: "bids://results/grown/desc-loud_T1w.nii" },
      ...more,
    });

  it("adds the subjects that arrive later", async () => {
    const { automation_id: id } = await ask(engine, "POST /api/automations", { caller, body: settings() });
    await untilEnded(id, 5);
    for (const subject of ["sub-06", "sub-07"]) addSubject(subject);
    await untilEnded(id, 7);
    await ask(engine, "DELETE /api/automations/{automation_id}", { caller, params: { automation_id: id } });
    assert.deepEqual(index("grown").problems, []);
    const all = [1, 2, 3, 4, 5, 6, 7].map((n) => `sub-0${n}`);
    assert.deepEqual(await subjectsOf("grown"), all);
  });

  /** Waits until the automation has started that many samples, and all its runs have ended well. */
  const untilEnded = (id: string, samples: number) =>
    untilEvent(engine, async () => {
      const asked = { caller, params: { automation_id: id } };
      const { history } = await ask(engine, "GET /api/automations/{automation_id}/history", asked);
      const runs = history.flatMap(({ run_id: runId }) => (runId === null ? [] : [engine.runs.get(caller, runId)]));
      const ended = runs.filter(({ end_time: end }) => end !== null);
      for (const run of ended) assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
      return ended.length === runs.length && runs.flatMap((run) => run.samples).length >= samples;
    });

  for (const [place, detail] of [
    ["bids://etc/x/mask", /no output destination called "etc"/],
    ["bids://results/x/sub-1_mask", /come from the sample/],
  ] as const)
    it(`is refused with the destination ${place}`, () =>
      assert.rejects(
        ask(engine, "POST /api/automations", { caller, body: settings({ sink_data: { louds: place } }) }),
        { code: "invalid-body", message: detail },
      ));
});

describe("a request for derivatives that cannot be written", () => {
  const TO = "bids://results/x/mask";
  const SHOUT_ALL = { network: "shout-all", sink_data: { louds: TO } };
  const ACT_ALL = { network: "act-all", sink_data: { other: TO } };
  const one = (to: string): CreateRun => request(to, "01");
  const plain = { class: "File", location: "weft-data://catalog/data/one.txt" };
  const image = { class: "File", location: "weft-data://study/sub-01/ses-1/anat/sub-01_ses-1_acq-high_T1w.nii" };
  const CASES: Readonly<Record<string, readonly [CreateRun, string, string, RegExp]>> = {
    "no name": [one("bids://results/x/"), "louds", "invalid-template", /bids:\/\/ROOT/],
    "a subject": [one("bids://results/x/sub-02_mask"), "louds", "invalid-template", /come from the sample/],
    "an entity that BIDS lacks": [one("bids://results/x/foo-1_mask"), "louds", "invalid-template", /"foo"/],
    "a folder that leads out": [one("bids://results/../x/mask"), "louds", "invalid-template", /"\.\."/],
    "a root that is not configured": [one("bids://etc/x/mask"), "louds", "unknown-root", /"etc"/],
    "a raw dataset": [one("bids://results/raw/mask"), "louds", "not-a-derivative", /of the type raw/],
    "a folder with other files": [one("bids://results/files/mask"), "louds", "not-a-derivative", /not a BIDS dataset/],
    "a link that leads out": [one("bids://results/out/mask"), "louds", "not-a-derivative", /leads out of its folder/],
    "samples of no dataset": [
      { ...SHOUT_ALL, inputs: { texts: [plain] }, samples: { texts: ["one"] } },
      "louds",
      "no-source",
      /"one" has no file of a BIDS dataset/,
    ],
    "samples without names": [{ ...SHOUT_ALL, inputs: { texts: [plain] } }, "louds", "no-source", /have no names/],
    "samples with one name": [
      { ...SHOUT_ALL, inputs: { texts: [image, image] }, samples: { texts: ["a", "b"] } },
      "louds",
      "same-name",
      /"a" and "b" would both be called sub-01_ses-1_acq-high_mask/,
    ],
    "outputs with one destination": [
      { ...ACT_ALL, inputs: { hows: ["0"] }, sink_data: { logs: TO, other: TO } },
      "other",
      "same-name",
      /"logs" and "other" have the same destination/,
    ],
    "an output of all samples": [
      { ...ACT_ALL, inputs: { hows: ["0", "1"] }, samples: { hows: ["a", "b"] } },
      "other",
      "no-sample",
      /all samples together/,
    ],
  };
  for (const [name, [body, output, code, detail]] of Object.entries(CASES))
    it(`is refused: ${name}`, async () => {
      const error: unknown = await startRun(engine, body).catch((reason: unknown) => reason);
      assert.ok(error instanceof Refusal, String(error));
      const [first] = error.errors;
      assert.deepEqual([first?.pointer, first?.code], [`/sink_data/${output}`, code]);
      assert.match(first?.detail ?? "", detail);
      assert.ok(first?.hint !== undefined);
    });
});
