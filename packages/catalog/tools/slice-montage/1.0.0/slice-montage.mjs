import { writeFile } from "node:fs/promises";
import { labelComponents } from "./components.mjs";
import { readImage, requireSameGrid, toMm } from "./nifti.mjs";
import { encodePng } from "./png.mjs";
import { required, requiredNumber, requiredSubject, runTool, say, ToolError } from "./tool.mjs";

const GREYS = 248;
const GAMMA = 0.7;
const OUTLINE = 255;
const OUTLINE_COLOUR = [255, 120, 0];
const GAP_PIXELS = 4;
const PIXELS_AT_MOST = 2e6;
const [X, Y, Z] = [0, 1, 2];
const PLANES = [
  { across: X, up: Y, through: Z },
  { across: X, up: Z, through: Y },
  { across: Y, up: Z, through: X },
];

const options = {
  image: { type: "string" },
  mask: { type: "string" },
  subject: { type: "string" },
  "pixel-mm": { type: "string" },
};

await runTool(options, async (values) => {
  const subject = requiredSubject(values);
  const pixelMm = requiredNumber(values, "pixel-mm", 0.1);
  const image = await readImage(required(values, "image"));
  const mask = await readImage(required(values, "mask"));
  requireSameGrid(image, mask);
  const scene = { ...sceneOf(image, mask), pixelMm };
  const picture = beside(PLANES.map((plane) => drawPlane(plane, scene)));
  say(
    `${subject}: slices through (${scene.cut.map((number) => number.toFixed(1)).join(", ")}) mm, ${picture.width} x ${picture.height} pixels`,
  );
  await writeFile(`${subject}_slices.png`, encodePng({ ...picture, palette: palette() }));
});

function sceneOf(image, mask) {
  const box = boundingBox(image);
  const toVoxels = inverseOf(image.affine, image.name);
  return {
    box,
    cut: centreOfLargest(mask) ?? box.map(([least, most]) => (least + most) / 2),
    grey: greyScale(image.data),
    valueAt: (point) => interpolate(image, toVoxels(point)),
    insideAt: (point) => (interpolate(mask, toVoxels(point)) ?? 0) >= 0.5,
  };
}

// From the outer faces of the first and last voxels, along each axis of space.
function boundingBox({ dims, affine }) {
  const ends = dims.map((size) => [-0.5, size - 0.5]);
  const corners = ends[0].flatMap((i) => ends[1].flatMap((j) => ends[2].map((k) => toMm(affine, [i, j, k]))));
  return [X, Y, Z].map((axis) => {
    const along = corners.map((corner) => corner[axis]);
    return [Math.min(...along), Math.max(...along)];
  });
}

// The centroid of the whole mask may be outside all of its parts, where nothing is visible.
function centreOfLargest({ dims, data, affine }) {
  const inside = Uint8Array.from(data, (value) => (value >= 0.5 ? 1 : 0));
  const { labels, sizes } = labelComponents(inside, dims, 26);
  const most = sizes.reduce((greatest, size) => Math.max(greatest, size), 0);
  if (most === 0) return null;
  const largest = sizes.indexOf(most) + 1;
  const sums = [0, 0, 0];
  labels.forEach((label, index) => {
    if (label !== largest) return;
    sums[0] += index % dims[0];
    sums[1] += Math.floor(index / dims[0]) % dims[1];
    sums[2] += Math.floor(index / (dims[0] * dims[1]));
  });
  return toMm(
    affine,
    sums.map((sum) => sum / most),
  );
}

// The rows of the inverse are cross products of the matrix's columns over its determinant.
function inverseOf(affine, name) {
  const [a, b, c, origin] = [0, 1, 2, 3].map((column) => affine.map((row) => row[column]));
  const determinant = dot(a, cross(b, c));
  if (!(Math.abs(determinant) > 1e-9)) throw new ToolError(`${name}: its affine has no inverse`);
  const rows = [cross(b, c), cross(c, a), cross(a, b)];
  return (point) =>
    rows.map(
      (row) =>
        dot(
          row,
          point.map((number, axis) => number - origin[axis]),
        ) / determinant,
    );
}

function cross([a, b, c], [x, y, z]) {
  return [b * z - c * y, c * x - a * z, a * y - b * x];
}

function dot(one, other) {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

/** Linear interpolation at fractional voxel indices; undefined more than half a voxel outside. */
function interpolate({ dims, data }, at) {
  if (at.some((index, axis) => index < -0.5 || index > dims[axis] - 0.5)) return undefined;
  const clamped = at.map((index, axis) => Math.min(dims[axis] - 1, Math.max(0, index)));
  const low = clamped.map((index, axis) => Math.min(Math.floor(index), Math.max(0, dims[axis] - 2)));
  let sum = 0;
  for (let corner = 0; corner < 8; corner += 1) {
    const step = [corner & 1, (corner >> 1) & 1, corner >> 2];
    const weight = step.reduce(
      (product, up, axis) => product * (up ? clamped[axis] - low[axis] : 1 - clamped[axis] + low[axis]),
      1,
    );
    if (weight > 0)
      sum += weight * data[low[0] + step[0] + dims[0] * (low[1] + step[1] + dims[1] * (low[2] + step[2]))];
  }
  return sum;
}

function greyScale(data) {
  const least = data.reduce((low, value) => Math.min(low, value), Infinity);
  const range = data.reduce((high, value) => Math.max(high, value), -Infinity) - least || 1;
  return (value) => Math.round((GREYS - 1) * (Math.max(0, value - least) / range) ** GAMMA);
}

function drawPlane({ across, up, through }, scene) {
  const [width, height] = [across, up].map((axis) =>
    Math.max(1, Math.round((scene.box[axis][1] - scene.box[axis][0]) / scene.pixelMm)),
  );
  if (width * height > PIXELS_AT_MOST)
    throw new ToolError(`--pixel-mm: a slice would have ${width} x ${height} pixels`);
  const pointAt = (column, row) => {
    const point = [...scene.cut];
    point[across] = scene.box[across][0] + (column + 0.5) * scene.pixelMm;
    point[up] = scene.box[up][1] - (row + 0.5) * scene.pixelMm;
    point[through] = scene.cut[through];
    return point;
  };
  return { width, height, pixels: paint({ width, height, pointAt }, scene) };
}

function paint({ width, height, pointAt }, { grey, valueAt, insideAt }) {
  const isInside = (column, row) => insideAt(pointAt(column, row));
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const value = valueAt(pointAt(column, row));
      pixels[row * width + column] = isOnOutline(isInside, column, row)
        ? OUTLINE
        : value === undefined
          ? 0
          : grey(value);
    }
  }
  return pixels;
}

function isOnOutline(isInside, column, row) {
  if (!isInside(column, row)) return false;
  return !(
    isInside(column - 1, row) &&
    isInside(column + 1, row) &&
    isInside(column, row - 1) &&
    isInside(column, row + 1)
  );
}

function beside(panels) {
  const height = Math.max(...panels.map((panel) => panel.height));
  const width = panels.reduce((sum, panel) => sum + panel.width + GAP_PIXELS, -GAP_PIXELS);
  const pixels = new Uint8Array(width * height);
  let left = 0;
  for (const panel of panels) {
    const top = (height - panel.height) >> 1;
    for (let row = 0; row < panel.height; row += 1) {
      pixels.set(panel.pixels.subarray(row * panel.width, (row + 1) * panel.width), (top + row) * width + left);
    }
    left += panel.width + GAP_PIXELS;
  }
  return { width, height, pixels };
}

function palette() {
  return Array.from({ length: 256 }, (_, index) =>
    index === OUTLINE ? OUTLINE_COLOUR : Array(3).fill(Math.min(255, Math.round((index * 255) / (GREYS - 1)))),
  );
}
