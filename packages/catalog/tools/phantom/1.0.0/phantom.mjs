// A synthetic head with bright lesions. Only +, -, * and / (and floor) decide about voxels, because other functions of
// Math may differ in their last bit from one engine to the next, and the volumes must not.

import { geometryFor, toMm, writeImage } from "./nifti.mjs";
import {
  requiredNumber,
  requiredSubject,
  requiredTriple,
  rounded,
  runTool,
  say,
  ToolError,
  writeJson,
} from "./tool.mjs";

const FIELD_OF_VIEW_MM = [156, 190, 148];
const VOXELS_AT_MOST = 8e6;
const AIR = 4;
const BRAIN_MM = [60, 76, 58];
const ANATOMY = [
  { name: "scalp", centre: [0, 0, 0], axes: [70, 86, 66], intensity: 14 },
  { name: "skull", centre: [0, 0, 0], axes: [65, 81, 62], intensity: 8 },
  { name: "brain", centre: [0, 0, 0], axes: BRAIN_MM, intensity: 24 },
  { name: "left ventricle", centre: [-11, 4, 6], axes: [6, 24, 9], intensity: 10 },
  { name: "right ventricle", centre: [11, 4, 6], axes: [6, 24, 9], intensity: 10 },
];
const LESION_AXES_MM = { least: 11, most: 21 };
const LESION_GAP_MM = 12;
const PLACING_ATTEMPTS = 200;
const SUBVOXEL_OFFSETS = [-1 / 3, 0, 1 / 3];

const options = {
  subject: { type: "string" },
  seed: { type: "string" },
  "voxel-mm": { type: "string" },
  lesions: { type: "string" },
  "noise-sd": { type: "string" },
};

await runTool(options, async (values) => {
  const subject = requiredSubject(values);
  const seed = requiredNumber(values, "seed");
  const random = randomNumbers(seed);
  const grid = gridFor(requiredTriple(values, "voxel-mm"));
  const lesions = placeLesions(requiredNumber(values, "lesions", 0), random);
  const data = draw(grid, [...ANATOMY, ...lesions], noiseOf(requiredNumber(values, "noise-sd", 0), random));
  say(`${subject}: ${grid.dims.join(" x ")} voxels, ${lesions.length} lesions`);
  await writeImage(`${subject}.nii`, grid, { type: "uint8", data });
  await writeJson(`${subject}_truth.json`, { subject, seed, lesions: lesions.map(truthOf) });
});

/** Uniform numbers in [0, 1) from a 32-bit xorshift generator (Marsaglia 2003, shifts 13, 17, 5). */
function randomNumbers(seed) {
  let state = Math.imul(seed ^ 0x5bd1e995, 0x27d4eb2f) | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  // Seeds that differ in few bits start alike; some rounds part them.
  for (let round = 0; round < 32; round += 1) next();
  return next;
}

// The sum of twelve uniform numbers has variance 1 and needs no logarithm.
function noiseOf(sd, random) {
  return () => {
    let sum = -6;
    for (let term = 0; term < 12; term += 1) sum += random();
    return sum * sd;
  };
}

// The first index runs from right to left, as many scanners store it: the affine has a negative first column.
function gridFor(voxelMm) {
  const dims = voxelMm.map((size, axis) => Math.ceil(FIELD_OF_VIEW_MM[axis] / size));
  if (dims[0] * dims[1] * dims[2] > VOXELS_AT_MOST)
    throw new ToolError(`--voxel-mm: ${dims.join(" x ")} voxels are too many`);
  const [dx, dy, dz] = voxelMm;
  const [x, y, z] = dims.map((size, axis) => ((size - 1) / 2) * voxelMm[axis]);
  const affine = [
    [-dx, 0, 0, x],
    [0, dy, 0, -y],
    [0, 0, dz, -z],
  ];
  return { dims, affine, geometry: geometryFor(voxelMm, affine) };
}

function placeLesions(count, random) {
  const lesions = [];
  for (let attempt = 0; lesions.length < count && attempt < PLACING_ATTEMPTS * count; attempt += 1) {
    const lesion = someLesion(random);
    if (fits(lesion, lesions)) lesions.push(lesion);
  }
  if (lesions.length < count) throw new ToolError(`--lesions: ${count} do not fit; at most ${lesions.length} do`);
  return lesions;
}

function someLesion(random) {
  const { least, most } = LESION_AXES_MM;
  const axes = [0, 1, 2].map(() => least + (most - least) * random());
  const centre = BRAIN_MM.map((axis) => axis * (2 * random() - 1));
  return { name: "lesion", centre, axes, intensity: 170 + 60 * random() };
}

// Whole inside the brain, and clear of the others even after smoothing.
function fits({ centre, axes }, others) {
  const reach = Math.max(...axes);
  const inBrain = centre.reduce((sum, at, axis) => sum + (at / (BRAIN_MM[axis] - reach)) ** 2, 0) <= 1;
  return (
    inBrain &&
    others.every((other) => {
      const apart = reach + Math.max(...other.axes) + LESION_GAP_MM;
      return other.centre.reduce((sum, at, axis) => sum + (at - centre[axis]) ** 2, 0) > apart * apart;
    })
  );
}

function draw({ dims, affine }, shapes, noise) {
  const data = new Uint8Array(dims[0] * dims[1] * dims[2]);
  let index = 0;
  for (let k = 0; k < dims[2]; k += 1) {
    for (let j = 0; j < dims[1]; j += 1) {
      for (let i = 0; i < dims[0]; i += 1) {
        const value = meanInVoxel([i, j, k], affine, shapes) + noise();
        data[index] = Math.min(255, Math.max(0, Math.floor(value + 0.5)));
        index += 1;
      }
    }
  }
  return data;
}

function meanInVoxel([i, j, k], affine, shapes) {
  let sum = 0;
  for (const dk of SUBVOXEL_OFFSETS) {
    for (const dj of SUBVOXEL_OFFSETS) {
      for (const di of SUBVOXEL_OFFSETS) sum += intensityAt(toMm(affine, [i + di, j + dj, k + dk]), shapes);
    }
  }
  return sum / 27;
}

// Later shapes are painted over earlier ones.
function intensityAt([x, y, z], shapes) {
  const shape = shapes.findLast(({ centre, axes }) => {
    const [u, v, w] = [(x - centre[0]) / axes[0], (y - centre[1]) / axes[1], (z - centre[2]) / axes[2]];
    return u * u + v * v + w * w <= 1;
  });
  return shape?.intensity ?? AIR;
}

function truthOf({ centre, axes, intensity }) {
  const volumeMm3 = (4 / 3) * Math.PI * axes[0] * axes[1] * axes[2];
  return {
    centre_mm: centre.map((number) => rounded(number, 3)),
    semi_axes_mm: axes.map((number) => rounded(number, 3)),
    volume_ml: rounded(volumeMm3 / 1000, 3),
    intensity: rounded(intensity, 1),
  };
}
