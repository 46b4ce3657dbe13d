import { expect, type APIRequestContext } from "@playwright/test";
import { DOT, SQUARE } from "./gallery-catalog.ts";
import { newFolder } from "./own-server.ts";
import { startRun, waitForEnd } from "./weft-api.ts";

/** Writes the measures of one subject, and a picture. */
const MEASURE = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  baseCommand: ["sh", "-c"],
  arguments: [
    {
      valueFrom:
        'printf \'{"volume_ml": %s, "site": "%s"}\' "$1" "$2" > "$3.json"; printf "thickness\\n%s\\n" "$4" > "$3.tsv"; cp "$5" "$3.png"',
    },
    "measure",
    { valueFrom: "$(inputs.volume * inputs.factor)" },
    { valueFrom: "$(inputs.site)" },
    { valueFrom: "$(inputs.subject)" },
    { valueFrom: "$(inputs.volume / 10)" },
    { valueFrom: "$(inputs.picture.path)" },
  ],
  requirements: { InlineJavascriptRequirement: {}, ResourceRequirement: { coresMin: 0.1, ramMin: 16 } },
  inputs: { subject: "string", volume: "float", site: "string", factor: "float", picture: "File" },
  outputs: {
    measures: { type: "File", outputBinding: { glob: "*.json" } },
    surface: { type: "File", outputBinding: { glob: "*.tsv" } },
    picture: { type: "File", outputBinding: { glob: "*.png" } },
  },
};

const COHORT = {
  cwlVersion: "v1.2",
  class: "Workflow",
  label: "Cohort",
  requirements: { ScatterFeatureRequirement: {} },
  inputs: {
    subjects: "string[]",
    volumes: "float[]",
    sites: "string[]",
    pictures: "File[]",
    factor: { type: "float", default: 1 },
  },
  steps: {
    measure: {
      run: "../../tools/measure-subject/1.0.0/measure-subject.cwl",
      scatter: ["subject", "volume", "site", "picture"],
      scatterMethod: "dotproduct",
      in: { subject: "subjects", volume: "volumes", site: "sites", picture: "pictures", factor: "factor" },
      out: ["measures", "surface", "picture"],
    },
  },
  outputs: {
    measures: { type: "File[]", outputSource: "measure/measures" },
    surface: { type: "File[]", outputSource: "measure/surface" },
    pictures: { type: "File[]", outputSource: "measure/picture" },
  },
};

/** A catalog with a network that measures the subjects of a cohort. */
export function cohortCatalog(): Promise<string> {
  return newFolder({
    "tools/measure-subject/1.0.0/measure-subject.cwl": MEASURE,
    "networks/cohort/cohort.cwl": COHORT,
  });
}

export const SUBJECTS = Array.from({ length: 12 }, (_, at) => `sub-${String(at + 1).padStart(2, "0")}`);
/** The last value is far from the others. */
const VOLUMES = [40, 42, 41, 44, 43, 39, 45, 41, 42, 40, 44, 95];

/** Runs the network, waits for its end, and returns the id of the run. */
export async function runCohort(request: APIRequestContext, url: string, factor = 1): Promise<string> {
  const inputs = {
    subjects: SUBJECTS,
    volumes: VOLUMES,
    sites: SUBJECTS.map((_, at) => (at % 2 === 0 ? "north" : "south")),
    pictures: SUBJECTS.map((_, at) => ({
      class: "File",
      basename: `in-${at}.png`,
      location: `data:image/png;base64,${at % 2 === 0 ? DOT : SQUARE}`,
    })),
    factor,
  };
  const samples = Object.fromEntries(["subjects", "volumes", "sites", "pictures"].map((name) => [name, SUBJECTS]));
  const run = await startRun(request, { network: "cohort", name: `Cohort ${factor}`, inputs, samples }, url);
  expect((await waitForEnd(request, run.run_id, url)).state).toBe("COMPLETE");
  return run.run_id;
}
