// The measures of one subject as the later tools read them: one list says what there is, how it is called and its unit.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { ToolError } from "./tool.mjs";

/** Every number of a subject: its column, how to find it in the JSON, decimals, and its name for people. */
export const MEASURES = [
  { column: "volume_mm3", of: (one) => one.volume_mm3, digits: 1, label: "Volume", unit: "mm³" },
  { column: "volume_ml", of: (one) => one.volume_ml, digits: 3, label: "Volume", unit: "ml" },
  { column: "components", of: (one) => one.components, digits: 0, label: "Components", unit: "" },
  {
    column: "largest_component_ml",
    of: (one) => one.component_volumes_ml[0] ?? null,
    digits: 3,
    label: "Largest component",
    unit: "ml",
  },
  { column: "centroid_x_mm", of: (one) => one.centroid_mm?.[0] ?? null, digits: 2, label: "Centroid x", unit: "mm" },
  { column: "centroid_y_mm", of: (one) => one.centroid_mm?.[1] ?? null, digits: 2, label: "Centroid y", unit: "mm" },
  { column: "centroid_z_mm", of: (one) => one.centroid_mm?.[2] ?? null, digits: 2, label: "Centroid z", unit: "mm" },
  { column: "mean_intensity", of: (one) => one.mean_intensity, digits: 3, label: "Mean intensity", unit: "" },
  { column: "sd_intensity", of: (one) => one.sd_intensity, digits: 3, label: "SD of intensity", unit: "" },
  { column: "threshold", of: (one) => one.threshold ?? null, digits: 3, label: "Threshold", unit: "" },
];

/** Reads the measures of all subjects, in the order of the paths; refuses none at all and the same subject twice. */
export async function readMeasures(paths) {
  if (paths.length === 0) throw new ToolError("no measures were given, at least one subject is needed");
  const all = await Promise.all(paths.map(readOne));
  const seen = new Set();
  for (const { subject } of all) {
    if (seen.has(subject)) throw new ToolError(`subject ${JSON.stringify(subject)} has measures twice`);
    seen.add(subject);
  }
  return all;
}

async function readOne(path) {
  const text = await readFile(path, "utf8");
  try {
    const measures = JSON.parse(text);
    if (!isMeasures(measures)) throw new Error('no "subject", "volume_ml" or "component_volumes_ml"');
    return measures;
  } catch (error) {
    throw new ToolError(`${basename(path)}: not the measures of a subject: ${error.message}`);
  }
}

function isMeasures(value) {
  return (
    typeof value?.subject === "string" && Number.isFinite(value.volume_ml) && Array.isArray(value.component_volumes_ml)
  );
}
