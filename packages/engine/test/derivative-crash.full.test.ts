import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { indexDataset } from "@weft/shared/dataset/index-dataset.ts";
import { readFolder } from "../src/datasets/read-folder.ts";
import { Reach } from "../src/files/beneath/reach.ts";
import { runNow } from "../src/files/beneath/steps.ts";

const KILLS = 12;
const SUBJECTS = 4;
const CONTENT = "voxels ".repeat(20_000);

const url = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);

/** Delivers run after run with new subjects to one dataset until it is killed; or, as round 0, one last run. */
const DELIVERER = `
import { pathToFileURL } from "node:url";
import { sampleSources } from ${url("sink/derivative/sample-sources.ts")};
import { Reach } from ${url("files/beneath/reach.ts")};
import { hashFile } from ${url("files/hash-file.ts")};
import { PortableUris } from ${url("files/portable-uri.ts")};
import { placeRun } from ${url("sink/place-run.ts")};
const [root, round] = process.argv.slice(2);
const { sha1: checksum, sizeBytes: size } = await hashFile(join(root, "out.nii"));
const uris = new PortableUris({ study: join(root, "study") });
const imageOf = (name) => ({ class: "File", location: pathToFileURL(join(root, "study", name, "anat", name + "_T1w.nii")).href });
const location = pathToFileURL(join(root, "out.nii")).href;
for (let n = 0; n === 0 || round !== "0"; n++) {
  const names = Array.from({ length: ${SUBJECTS} }, (_, at) => "sub-" + round + "x" + n + "x" + at);
  const run = { processId: "brains", processVersion: round + "." + n, processLabel: null, documentUri: "weft-data://catalog/a.cwl" };
  const { failure } = await placeRun(
    {
      runId: "run-" + round + "-" + n,
      sinks: { masks: "bids://results/brains/desc-brain_mask" },
      samples: { images: names },
      outputs: { masks: names.map(() => ({ class: "File", location, basename: "out.nii", checksum, size })) },
      outputNames: new Map([["masks", names]]),
      sources: sampleSources({ images: names.map(imageOf) }, { images: names }, uris),
      ports: [],
    },
    {
      reach: new Reach({ regions: [{ folder: root }] }),
      sinks: { folders: { results: join(root, "results") }, umask: 0o022 },
      sync: false,
      version: "1",
      uris,
      journal: { read: { run: () => run, containersOfTools: () => [] } },
    },
  );
  if (failure !== undefined) throw new Error(JSON.stringify(failure));
  if (n === 0) process.stdout.write("begun");
}
`;

test("a derivative dataset is consistent whenever the server is killed", async () => {
  const root = temporaryFolder({
    ...{ "results/": "", "out.nii": CONTENT, "deliverer.mjs": DELIVERER },
    "study/participants.tsv": `participant_id\tage\n${participants()}`,
  });
  const script = join(root, "deliverer.mjs");
  for (let round = 1; round <= KILLS; round++) {
    const child = spawn(process.execPath, [script, root, String(round)], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    // Later in each round, so that the kills hit every part of the work.
    await new Promise((resolve) => setTimeout(resolve, round * 3));
    child.kill("SIGKILL");
    await once(child, "exit");
    await checkWhole(join(root, "results/brains"));
  }
  const last = spawn(process.execPath, [script, root, "0"], { stdio: ["ignore", "ignore", "inherit"] });
  assert.deepEqual(await once(last, "exit"), [0, null]);
  assert.ok((await checkWhole(join(root, "results/brains"))) >= (KILLS + 1) * SUBJECTS);
});

function participants(): string {
  const rows: string[] = [];
  for (let round = 0; round <= KILLS; round++)
    for (let n = 0; n < 20; n++) for (let at = 0; at < SUBJECTS; at++) rows.push(`sub-${round}x${n}x${at}\t${round}\n`);
  return rows.join("");
}

/**
 * Every file under its final name is complete, and Weft's own reader understands the dataset. Returns the number of
 * images.
 */
async function checkWhole(dataset: string): Promise<number> {
  const source = runNow(readFolder(dataset, new Reach({ regions: [{ folder: dataset }] }), "bids"));
  const { description, problems, files, participants: rows } = indexDataset(source);
  assert.deepEqual(problems, []);
  assert.equal(description["DatasetType"], "derivative");
  assert.ok(Array.isArray(description["GeneratedBy"]) && description["GeneratedBy"].length > 1);
  for (const [subject, row] of rows) assert.deepEqual([...Object.keys(row)], ["participant_id", "age"], subject);
  const images = files.filter(({ path }) => path.endsWith(".nii"));
  for (const { path } of images) assert.equal(await readFile(join(dataset, path), "utf8"), CONTENT, path);
  for (const { path } of files.filter((file) => file.path.endsWith("_mask.json")))
    assert.ok(Object.hasOwn(JSON.parse(await readFile(join(dataset, path), "utf8")) as object, "Sources"), path);
  return images.length;
}
