import { gzipSync } from "node:zlib";
import type { APIRequestContext } from "@playwright/test";
import { makeNifti } from "../src/components/preview/nifti/testing/make-nifti.ts";
import { newFolder } from "./own-server.ts";
import { startRun, waitForEnd } from "./weft-api.ts";

const SIDE = 24;
/** A pixel as PNG. */
export const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** Another pixel. */
export const SQUARE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** Gives each subject an image, a mask, a plot and a table; fails for subjects named `bad…`. */
const DERIVE = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  baseCommand: ["sh", "-c"],
  arguments: [
    {
      valueFrom:
        'case "$1" in bad*) echo "no image" >&2; exit 3;; esac; cp "$2" "$1.nii.gz"; cp "$3" "$1-mask.nii.gz"; cp "$4" "$1.png"; printf "region,volume\\nleft,%s\\nright,7\\n" "$5" > "$1.csv"',
    },
    "derive",
    { valueFrom: "$(inputs.subject)" },
    { valueFrom: "$(inputs.image.path)" },
    { valueFrom: "$(inputs.mask.path)" },
    { valueFrom: "$(inputs.plot.path)" },
    { valueFrom: "$(inputs.factor)" },
  ],
  inputs: { subject: "string", image: "File", mask: "File", plot: "File", factor: "int" },
  outputs: {
    image: { type: "File", outputBinding: { glob: "$(inputs.subject).nii.gz" } },
    mask: { type: "File", outputBinding: { glob: "$(inputs.subject)-mask.nii.gz" } },
    plot: { type: "File", outputBinding: { glob: "*.png" } },
    table: { type: "File", outputBinding: { glob: "*.csv" } },
  },
};

const MEASURE = {
  class: "ExpressionTool",
  requirements: { InlineJavascriptRequirement: {} },
  inputs: { subject: "string", factor: "int" },
  outputs: { volume: "float", series: "float[]" },
  expression:
    "${ var s = []; for (var n = 0; n < 40; n++) s.push(Math.sin(n / (3 + inputs.subject.length % 5)) * inputs.factor); return {volume: inputs.factor * 1.5 + inputs.subject.length, series: s}; }",
};

const REPORT = {
  class: "CommandLineTool",
  baseCommand: ["sh", "-c", 'printf "<h1>Report</h1>" > report.html; printf "%s\\n" "$@" > subjects.txt', "report"],
  arguments: [{ valueFrom: "$(inputs.subjects)" }],
  inputs: { subjects: "string[]" },
  outputs: {
    report: { type: "File", outputBinding: { glob: "report.html" } },
    list: { type: "File", outputBinding: { glob: "subjects.txt" } },
  },
};

const NETWORK = {
  cwlVersion: "v1.2",
  class: "Workflow",
  label: "Gallery",
  requirements: { ScatterFeatureRequirement: {}, InlineJavascriptRequirement: {} },
  inputs: { subjects: "string[]", image: "File", mask: "File", plot: "File", factor: "int" },
  outputs: {
    report: { type: "File", outputSource: "report/report" },
    list: { type: "File", outputSource: "report/list" },
    image: { type: "File[]", outputSource: "derive/image" },
    mask: { type: "File[]", outputSource: "derive/mask" },
    plot: { type: "File[]", outputSource: "derive/plot" },
    table: { type: "File[]", outputSource: "derive/table" },
    volume: { type: "float[]", outputSource: "measure/volume" },
    series: { type: { type: "array", items: { type: "array", items: "float" } }, outputSource: "measure/series" },
  },
  steps: {
    derive: {
      run: "../../tools/derive/1.0.0/derive.cwl",
      scatter: "subject",
      in: { subject: "subjects", image: "image", mask: "mask", plot: "plot", factor: "factor" },
      out: ["image", "mask", "plot", "table"],
    },
    measure: {
      run: MEASURE,
      scatter: "subject",
      in: { subject: "subjects", factor: "factor" },
      out: ["volume", "series"],
    },
    report: { run: REPORT, in: { subjects: "subjects" }, out: ["report", "list"] },
  },
};

/** A catalog with the network `gallery`, whose outputs have every kind that a gallery shows. */
export function galleryCatalog(): Promise<string> {
  return newFolder({ "tools/derive/1.0.0/derive.cwl": DERIVE, "networks/gallery/gallery.cwl": NETWORK });
}

export interface GalleryOptions {
  readonly subjects: readonly string[];
  /** Multiplies the measured numbers. */
  readonly factor?: number;
  /** PNG in base64. */
  readonly plot?: string;
}

/** Runs the network until it ends; returns the id of the run. */
export async function runGallery(
  request: APIRequestContext,
  url: string,
  { subjects, factor = 2, plot = DOT }: GalleryOptions,
): Promise<string> {
  const inputs = {
    subjects,
    factor,
    image: dataFile("image.nii.gz", gzipSync(makeNifti(ball(9, false)))),
    mask: dataFile("mask.nii.gz", gzipSync(makeNifti(ball(5, true)))),
    plot: dataFile("plot.png", Buffer.from(plot, "base64")),
  };
  const run = await startRun(request, { network: "gallery", inputs }, url);
  await waitForEnd(request, run.run_id, url);
  return run.run_id;
}

export function dataFile(basename: string, content: Buffer): object {
  return { class: "File", basename, location: `data:application/octet-stream;base64,${content.toString("base64")}` };
}

/** A ball that is brighter in its middle, or a mask of one value; away from the middle of the image. */
function ball(radius: number, isMask: boolean) {
  const values = Array.from({ length: SIDE ** 3 }, (_, n) => {
    const [x, y, z] = [n % SIDE, Math.floor(n / SIDE) % SIDE, Math.floor(n / SIDE ** 2)];
    const far = Math.hypot(x - 9, y - 12, z - 13);
    if (far > radius) return 0;
    return isMask ? 1 : Math.round(100 + 100 * Math.cos(far / 2));
  });
  return {
    size: [SIDE, SIDE, SIDE],
    sform: [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
    ],
    values,
  };
}
