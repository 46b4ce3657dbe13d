// Separable Gaussian smoothing: a 3-D Gaussian is the product of three 1-D ones.

import { readImage, writeImage } from "./nifti.mjs";
import { required, requiredNumber, requiredSubject, runTool, say } from "./tool.mjs";

const FWHM_PER_SIGMA = 2 * Math.sqrt(2 * Math.log(2));
const KERNEL_REACH_SIGMAS = 4;

const options = {
  image: { type: "string" },
  subject: { type: "string" },
  "fwhm-mm": { type: "string" },
};

await runTool(options, async (values) => {
  const subject = requiredSubject(values);
  const fwhmMm = requiredNumber(values, "fwhm-mm", 0);
  const image = await readImage(required(values, "image"));
  const sigmas = image.voxelMm.map((size) => fwhmMm / FWHM_PER_SIGMA / size);
  say(`${image.name}: FWHM ${fwhmMm} mm, sigma ${sigmas.map((sigma) => sigma.toFixed(3)).join(" x ")} voxels`);
  const data = sigmas.reduce((volume, sigma, axis) => smoothAlong(volume, image.dims, { axis, sigma }), image.data);
  await writeImage(`${subject}_smooth.nii`, image, { type: "float32", data });
});

function smoothAlong(volume, dims, { axis, sigma }) {
  if (sigma === 0) return volume;
  const size = dims[axis];
  const stride = dims.slice(0, axis).reduce((product, length) => product * length, 1);
  const kernel = halfKernel(sigma, size);
  const result = new Float64Array(volume.length);
  for (let index = 0; index < volume.length; index += 1) {
    const at = Math.floor(index / stride) % size;
    result[index] = weightedMean(volume, { index, at, size, stride, kernel });
  }
  return result;
}

function weightedMean(volume, { index, at, size, stride, kernel }) {
  const first = Math.max(0, at - kernel.length + 1);
  const last = Math.min(size - 1, at + kernel.length - 1);
  let [sum, weights] = [0, 0];
  for (let other = first; other <= last; other += 1) {
    const weight = kernel[Math.abs(other - at)];
    sum += weight * volume[index + (other - at) * stride];
    weights += weight;
  }
  return sum / weights;
}

// Index d holds the weight at distance d; more than the image is long would never be used.
function halfKernel(sigma, size) {
  const reach = Math.min(size - 1, Math.ceil(KERNEL_REACH_SIGMAS * sigma));
  return Float64Array.from({ length: reach + 1 }, (_, distance) => Math.exp(-0.5 * (distance / sigma) ** 2));
}
