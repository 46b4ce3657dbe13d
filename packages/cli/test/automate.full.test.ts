import assert from "node:assert/strict";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "@weft/engine/testing/until.ts";
import { createClient, type Client } from "@weft/shared/routes/client.ts";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
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

test("five new subjects are started once each, although the server is killed meanwhile", async () => {
  const root = temporaryFolder({ "catalog/networks/look/look.cwl": NETWORK, "study/sub-00.nii": "0" });
  const study = join(root, "study");
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
    await runsEnded(createClient(server.address));
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
  const started = await startedSamples(createClient(server.address), expected.length);
  assert.deepEqual(started, expected.toSorted());
  const history = await weft(["automate", "history", ...state, id]);
  assert.match(history.stdout, /\tstarted\t/);
  await server.stop("SIGTERM");
});

/**
 * Waits until no run is open. A server pauses a run that was active at three crashes without progress (ADR 103), which
 * happens to healthy runs if it is killed faster than a busy machine works.
 */
async function runsEnded(client: Client): Promise<void> {
  await until(async () => {
    const { runs } = await client("GET /api/runs", { query: { page_size: 50 } });
    return runs.every((run) => typeof run !== "string" && run.end_time !== null);
  });
}

/** The samples of all runs in the log, once nothing is left to start. */
async function startedSamples(client: Client, expected: number): Promise<readonly string[]> {
  const names: string[] = [];
  let since = 0;
  await until(async () => {
    const { events } = await client("GET /api/events", { query: { since, page_size: 500 } });
    since = events.at(-1)?.seq ?? since;
    for (const event of events) if (event.type === "run.created") names.push(...(event.data.samples["images"] ?? []));
    return events.length === 0 && names.length >= expected;
  });
  return names.toSorted();
}
