import { labelComponents } from "./components.mjs";
import { readImage, requireSameGrid, toMm } from "./nifti.mjs";
import { describe } from "./statistics.mjs";
import { optionalNumber, required, requiredSubject, rounded, runTool, say, ToolError, writeJson } from "./tool.mjs";

const CONNECTIVITIES = ["6", "18", "26"];

const options = {
  image: { type: "string" },
  mask: { type: "string" },
  subject: { type: "string" },
  connectivity: { type: "string" },
  threshold: { type: "string" },
};

await runTool(options, async (values) => {
  const subject = requiredSubject(values);
  const connectivity = required(values, "connectivity");
  if (!CONNECTIVITIES.includes(connectivity))
    throw new ToolError(`--connectivity: "${connectivity}" is not one of ${CONNECTIVITIES.join(", ")}`);
  const image = await readImage(required(values, "image"));
  const mask = await readImage(required(values, "mask"));
  requireSameGrid(image, mask);
  const inside = Uint8Array.from(mask.data, (value) => (value >= 0.5 ? 1 : 0));
  const measures = {
    subject,
    image: image.name,
    voxel_size_mm: image.voxelMm.map((size) => rounded(size, 4)),
    threshold: rounded(optionalNumber(values, "threshold") ?? null, 4),
    connectivity: Number(connectivity),
    ...shapeOf(image, inside, Number(connectivity)),
    ...intensitiesOf(image, inside),
  };
  say(`${subject}: ${measures.volume_ml} ml in ${measures.components} components`);
  await writeJson(`${subject}_measures.json`, measures);
});

function shapeOf({ dims, voxelMm, affine }, inside, connectivity) {
  const voxelMm3 = voxelMm[0] * voxelMm[1] * voxelMm[2];
  const voxels = inside.reduce((sum, one) => sum + one, 0);
  const { sizes } = labelComponents(inside, dims, connectivity);
  return {
    voxels,
    volume_mm3: rounded(voxels * voxelMm3, 3),
    volume_ml: rounded((voxels * voxelMm3) / 1000, 6),
    components: sizes.length,
    component_volumes_ml: sizes
      .toSorted((one, other) => other - one)
      .map((size) => rounded((size * voxelMm3) / 1000, 6)),
    centroid_mm: centroidMm(inside, dims, affine),
  };
}

// An affine map takes the mean of points to the mean of their images: the mean index is enough.
function centroidMm(inside, dims, affine) {
  const sums = [0, 0, 0];
  let voxels = 0;
  inside.forEach((one, index) => {
    if (one === 0) return;
    voxels += 1;
    sums[0] += index % dims[0];
    sums[1] += Math.floor(index / dims[0]) % dims[1];
    sums[2] += Math.floor(index / (dims[0] * dims[1]));
  });
  if (voxels === 0) return null;
  return toMm(
    affine,
    sums.map((sum) => sum / voxels),
  ).map((number) => rounded(number, 4));
}

function intensitiesOf({ data }, inside) {
  const { mean, sd, min, max } = describe(data.filter((_value, index) => inside[index] === 1));
  return {
    mean_intensity: rounded(mean, 6),
    sd_intensity: rounded(sd, 6),
    min_intensity: rounded(min, 6),
    max_intensity: rounded(max, 6),
  };
}
