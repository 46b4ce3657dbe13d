import { writeFile } from "node:fs/promises";
import { labelComponents } from "./components.mjs";
import { readImage, writeImage } from "./nifti.mjs";
import { optionalNumber, required, requiredNumber, requiredSubject, runTool, say, ToolError } from "./tool.mjs";

const BINS = 256;

const options = {
  image: { type: "string" },
  subject: { type: "string" },
  method: { type: "string" },
  threshold: { type: "string" },
  "largest-component": { type: "boolean", default: false },
  connectivity: { type: "string", default: "26" },
};

const methods = {
  otsu: (image) => otsuThreshold(image),
  mean: (image) => image.data.reduce((sum, value) => sum + value, 0) / image.data.length,
  fixed: (_image, given) => given,
};

await runTool(options, async (values) => {
  const subject = requiredSubject(values);
  const method = required(values, "method");
  if (!Object.hasOwn(methods, method))
    throw new ToolError(`--method: "${method}" is not one of ${Object.keys(methods).join(", ")}`);
  if (method === "fixed" && values.threshold === undefined) throw new ToolError('the method "fixed" needs a threshold');
  const image = await readImage(required(values, "image"));
  const threshold = thresholdOf(image, method, optionalNumber(values, "threshold"));
  say(`${image.name}: threshold ${threshold} (${method})`);
  const whole = Uint8Array.from(image.data, (value) => (value >= threshold ? 1 : 0));
  const data = values["largest-component"]
    ? largestOf(whole, image.dims, requiredNumber(values, "connectivity"))
    : whole;
  await writeImage(`${subject}_mask.nii`, image, { type: "uint8", data });
  await writeFile("threshold.txt", `${threshold}\n`);
});

function thresholdOf(image, method, given) {
  const isConstant = image.data.every((value) => value === image.data[0]);
  if (method !== "fixed" && isConstant) {
    throw new ToolError(
      `${image.name}: every voxel is ${image.data[0]}, the method "${method}" needs at least two values`,
    );
  }
  return methods[method](image, given);
}

function otsuThreshold({ data }) {
  const [least, greatest] = data.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
  const width = (greatest - least) / BINS;
  const histogram = new Float64Array(BINS);
  for (const value of data) histogram[Math.min(BINS - 1, Math.floor((value - least) / width))] += 1;
  return least + width * bestCut(histogram);
}

/** The number of bins in the lower class when the variance between the classes is greatest. */
function bestCut(histogram) {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  const moment = histogram.reduce((sum, count, bin) => sum + count * bin, 0);
  let [best, first, last, below, momentBelow] = [-1, 0, 0, 0, 0];
  for (let cut = 1; cut < BINS; cut += 1) {
    below += histogram[cut - 1];
    momentBelow += histogram[cut - 1] * (cut - 1);
    const between = (momentBelow * total - moment * below) ** 2 / (below * (total - below));
    if (between > best) [best, first, last] = [between, cut, cut];
    else if (between === best && last === cut - 1) last = cut;
  }
  return (first + last) / 2;
}

function largestOf(mask, dims, connectivity) {
  const { labels, sizes } = labelComponents(mask, dims, connectivity);
  const largest = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size), 0)) + 1;
  return largest === 0 ? mask : Uint8Array.from(labels, (label) => (label === largest ? 1 : 0));
}
