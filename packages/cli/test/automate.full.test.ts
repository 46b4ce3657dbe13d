import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { RunList } from "@weft/shared/records/run-record.ts";
import { weft } from "../src/testing/run-in-process.ts";
import { startServer } from "./serving.ts";

const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {} }
inputs: { images: "File[]" }
steps:
  look:
    scatter: image
    in: { image: images }
    out: []
    run: { class: CommandLineTool, baseCommand: "true", inputs: { image: File }, outputs: [] }
outputs: []
`;
const KILLS = Number(process.env["WEFT_KILLS"] ?? 4);

test("five new subjects are started once each, although the server is killed meanwhile", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "weft-automate-cli-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const study = join(root, "study");
  await mkdir(join(root, "catalog/networks/look"), { recursive: true });
  await mkdir(study);
  await writeFile(join(study, "sub-00.nii"), "0");
  await writeFile(join(root, "catalog/networks/look/look.cwl"), NETWORK);
  const query = {
    location: "weft-data://study/",
    pattern: "{sample}.nii",
    per: ["sample"],
    columns: [{ kind: "file", name: "images" }],
  };
  const settings = { name: "New", network: "look", trigger: { kind: "samples" }, settle_s: 0, max_runs_per_day: 1000 };
  const file = join(root, "auto.json");
  await writeFile(file, JSON.stringify({ ...settings, dataset: { query } }));
  const state = ["--state", join(root, "state")];
  const start = () => startServer([...state, "--catalog", join(root, "catalog"), "--data", `study=${study}`]);
  let server = await start();
  const dry = await weft(["automate", "add", ...state, "--dry-run", file]);
  assert.equal(dry.stdout, "would start 1 of 1 samples\nstart\tsub-00\t\n", dry.stderr);
  const added = await weft(["automate", "add", ...state, file]);
  const id = added.stdout.trim();
  assert.match(id, /^[0-9a-f-]{36}$/, added.stderr);
  const expected = ["sub-00"];
  for (let kill = 1; kill <= KILLS; kill++) {
    await runsEnded(server.address);
    const names = [1, 2, 3, 4, 5].map((n) => `sub-${kill}${n}`);
    for (const name of names) {
      await writeFile(join(root, name), name);
      await rename(join(root, name), join(study, `${name}.nii`));
    }
    expected.push(...names);
    // Later in each round, so that the kills hit every part of the work.
    await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 400));
    await server.stop("SIGKILL");
    server = await start();
  }
  const started = await startedSamples(server.address, expected.length);
  assert.deepEqual(started, expected.toSorted());
  const history = await weft(["automate", "history", ...state, id]);
  assert.match(history.stdout, /\tstarted\t/);
  await server.stop("SIGTERM");
});

/**
 * Waits until no run is open. A server pauses a run that was active at three crashes without progress (ADR 103), which
 * happens to healthy runs if it is killed faster than a busy machine works.
 */
async function runsEnded(address: string): Promise<void> {
  for (;;) {
    // eslint-disable-next-line no-await-in-loop -- asks again until all have ended
    const { runs } = await get<RunList>(`${address}/api/runs?page_size=50`);
    if (runs.every((run) => typeof run !== "string" && run.end_time !== null)) return;
    // eslint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The samples of all runs in the log, once nothing is left to start. */
async function startedSamples(address: string, expected: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (let since = 0; ;) {
    // eslint-disable-next-line no-await-in-loop -- each page begins after the one before
    const { events } = await get<{ readonly events: readonly WeftEvent[] }>(
      `${address}/api/events?since=${since}&page_size=500`,
    );
    since = events.at(-1)?.seq ?? since;
    for (const event of events) if (event.type === "run.created") names.push(...(event.data.samples["images"] ?? []));
    if (events.length > 0) continue;
    if (names.length >= expected) return names.toSorted();
    // eslint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The tests of the API prove the shapes. */
async function get<Shape>(url: string): Promise<Shape> {
  return (await (await fetch(url)).json()) as Shape;
}
