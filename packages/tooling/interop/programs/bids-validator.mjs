// Checks the derivative dataset of a run over the practice dataset with the BIDS validator (npm, version 1).
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDataset } from "../../../catalog/lib/bids/1.0.0/make-dataset.mjs";
import { startServer } from "../../bench/serving.mjs";

export const name = "bids-validator";
export const about =
  "derivatives of 40 subjects have no errors, except that version 1 does not know the names of derivatives";

const validate = (...args) => spawnSync("bids-validator", args, { encoding: "utf8", maxBuffer: 2 ** 30 });

export function version() {
  const { status, stdout } = validate("--version");
  return status === 0 ? stdout.trim() : undefined;
}

/** Version 1 knows only the names of raw data (1), so it reports that no subject has data (67). */
const ABOUT_NAMES = new Set([1, 67]);

const QUERY = {
  location: "weft-data://study/",
  where: [
    { field: "suffix", op: "=", values: ["T1w"] },
    { field: "ses", op: "=", values: ["2"] },
  ],
  per: ["sub"],
  columns: [{ kind: "file", name: "images" }],
};
const DESTINATIONS = {
  masks: "desc-lesion_mask",
  smoothed: "desc-smooth",
  measures: "desc-measures",
  pictures: "desc-slices",
};

export async function checks() {
  const folder = mkdtempSync(join(tmpdir(), "weft-bids-"));
  const [study, results] = [join(folder, "study"), join(folder, "results")];
  await makeDataset(study);
  mkdirSync(results);
  const flags = ["--state", join(folder, "state"), "--data", `study=${study}`, "--sink", `results=${results}`];
  const server = await startServer(flags);
  try {
    const sinks = Object.entries(DESTINATIONS).map(([id, ending]) => [id, `bids://results/cohort/${ending}`]);
    const sink_data = Object.fromEntries(sinks);
    await server.runToEnd({ network: "imaging-cohort", dataset: { query: QUERY }, sink_data });
    return [check(join(results, "cohort"))];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function check(dataset) {
  const what = "derivatives of 40 subjects: no errors, except that version 1 does not know the names of derivatives";
  const { stdout } = validate(dataset, "--json");
  const { issues } = JSON.parse(stdout);
  const errors = issues.errors.filter(({ code }) => !ABOUT_NAMES.has(code));
  return errors.length === 0
    ? { what, result: "works" }
    : { what, result: "fails", note: errors.map(({ key }) => key).join(", ") };
}
