import type { NiftiHeader } from "@weft/shared/image/nifti-header.ts";
import { orientationOf, type Orientation } from "./orientation.ts";

export type Plane = "axial" | "coronal" | "sagittal";
export type Place = readonly [right: number, anterior: number, superior: number];

/** The body axes of each plane: across the picture, up the picture, through it. */
export const PLANE_AXES: Readonly<Record<Plane, readonly [0 | 1 | 2, 0 | 1 | 2, 0 | 1 | 2]>> = {
  axial: [0, 1, 2],
  coronal: [0, 2, 1],
  sagittal: [1, 2, 0],
};

export interface Slice {
  readonly width: number;
  readonly height: number;
  /** RGBA, row by row from the upper left corner. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** Values from black to white. */
export interface Window {
  readonly black: number;
  readonly white: number;
}

const WAYS = [
  ["right", "left"],
  ["front", "back"],
  ["top", "bottom"],
] as const;

/** A loaded image: values by position in the body, and slices as pictures in neurological orientation (left is left). */
export class Volume {
  readonly header: NiftiHeader;
  readonly orientation: Orientation;
  /** The number of the file's volumes that are loaded. */
  readonly volumes: number;
  readonly #view: DataView;
  /** Offset of the first value of a volume in the body's axes, and the stride along each of them. */
  readonly #origin: number;
  readonly #strides: readonly [number, number, number];

  /** `data` are the bytes after the header, at least one whole volume. */
  constructor(header: NiftiHeader, data: Uint8Array) {
    this.header = header;
    this.orientation = orientationOf(header);
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.volumes = Math.min(header.volumes, Math.floor(data.byteLength / volumeBytes(header)));
    this.#strides = stridesOf(header, this.orientation);
    this.#origin = originOf(this.orientation, this.#strides);
  }

  /** The value at a position, scaled as the header says; for a color, the mean of its components. */
  valueAt(place: Place, volume: number): number {
    return this.#valueOf(this.#offset(place, volume));
  }

  /** The picture of a plane at its position `at` along the axis that goes through it. */
  slice(plane: Plane, at: number, { volume, window }: { readonly volume: number; readonly window: Window }): Slice {
    const [across, up, through] = PLANE_AXES[plane];
    const { axes } = this.orientation;
    const [width, height] = [axes[across].length, axes[up].length];
    const pixels = new Uint8ClampedArray(width * height * 4);
    const corner: [number, number, number] = [0, 0, 0];
    corner[up] = height - 1;
    corner[through] = at;
    const from = this.#offset(corner, volume);
    const [right, down] = [this.#strides[across], -this.#strides[up]];
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) this.#paint(pixels, (y * width + x) * 4, from + x * right + y * down, window);
    return { width, height, pixels };
  }

  #paint(pixels: Uint8ClampedArray, to: number, offset: number, { black, white }: Window): void {
    const { colors } = this.header.type;
    const gray = colors === undefined ? ((this.#valueOf(offset) - black) / (white - black || 1)) * 255 : 0;
    for (let part = 0; part < 3; part += 1)
      pixels[to + part] = colors === undefined ? gray : this.#view.getUint8(offset + part);
    pixels[to + 3] = 255;
  }

  #offset([right, anterior, superior]: Place, volume: number): number {
    const [r, a, s] = this.#strides;
    return this.#origin + right * r + anterior * a + superior * s + volume * volumeBytes(this.header);
  }

  #valueOf(offset: number): number {
    const { type, littleEndian, slope, intercept } = this.header;
    if (type.read !== undefined) return type.read(this.#view, offset, littleEndian) * slope + intercept;
    return [0, 1, 2].reduce((sum, part) => sum + this.#view.getUint8(offset + part) / 3, 0);
  }

  /**
   * The initial position: the center, unless a plane through it is uniform, as in many masks; then the center of the
   * voxels that differ from the most common value.
   */
  startPlace(): Place {
    const { axes } = this.orientation;
    const [right, anterior, superior] = axes.map(({ length }) => Math.floor((length - 1) / 2));
    const middle: Place = [right ?? 0, anterior ?? 0, superior ?? 0];
    if (!AXES.some((through) => this.#isPlain(middle, through))) return middle;
    return this.#middleOfContent() ?? middle;
  }

  #isPlain(middle: Place, through: 0 | 1 | 2): boolean {
    const first = this.valueAt(middle, 0);
    return this.#places((axis) => (axis === through ? [middle[axis]] : undefined)).every(
      (place) => this.valueAt(place, 0) === first,
    );
  }

  /** The mean may be outside of a shape that is not convex, so this takes the nearest voxel with content. */
  #middleOfContent(): Place | undefined {
    const background = this.valueAt([0, 0, 0], 0);
    const content = [...this.#places(() => undefined)].filter((place) => this.valueAt(place, 0) !== background);
    if (content.length === 0) return undefined;
    const meanOf = (axis: 0 | 1 | 2): number => content.reduce((sum, place) => sum + place[axis], 0) / content.length;
    const [right, anterior, superior] = [meanOf(0), meanOf(1), meanOf(2)];
    const distance = ([r, a, s]: Place): number => Math.hypot(r - right, a - anterior, s - superior);
    return content.reduce((best, place) => (distance(place) < distance(best) ? place : best));
  }

  /** Positions of the volume, at most about `SAMPLES`; along an axis only those in `only`, if given. */
  *#places(only: (axis: 0 | 1 | 2) => readonly number[] | undefined): Generator<Place> {
    const { axes } = this.orientation;
    const free = AXES.filter((axis) => only(axis) === undefined);
    const all = free.map((axis) => axes[axis].length).reduce((product, length) => product * length, 1);
    const step = Math.max(1, Math.ceil((all / SAMPLES) ** (1 / Math.max(1, free.length))));
    const along = (axis: 0 | 1 | 2): readonly number[] =>
      only(axis) ?? Array.from({ length: Math.ceil(axes[axis].length / step) }, (_, n) => n * step);
    for (const right of along(0))
      for (const anterior of along(1)) for (const superior of along(2)) yield [right, anterior, superior];
  }

  /** True for a mask or an atlas, whose values are a small set of whole numbers. */
  isLabels(): boolean {
    if (this.header.type.colors !== undefined) return false;
    const found = new Set<number>();
    for (const place of this.#places(() => undefined)) {
      const value = this.valueAt(place, 0);
      if (!Number.isInteger(value)) return false;
      found.add(value);
      if (found.size > MAX_LABELS) return false;
    }
    return true;
  }

  /**
   * The window that excludes the darkest and brightest thousandth of values, or the window in the header if there is
   * one.
   */
  usualWindow(): Window {
    if (this.header.shown !== undefined) return { black: this.header.shown[0], white: this.header.shown[1] };
    const { type, size } = this.header;
    const voxels = size[0] * size[1] * size[2];
    const step = Math.max(1, Math.floor(voxels / SAMPLES));
    const values: number[] = [];
    for (let n = 0; n < voxels; n += step) values.push(this.#valueOf(n * type.bytes));
    const sorted = Float64Array.from(values.filter(Number.isFinite)).sort();
    const black = sorted[Math.floor(sorted.length * 0.001)] ?? 0;
    const white = sorted[Math.floor(sorted.length * 0.999)] ?? 1;
    const last = sorted.at(-1) ?? 1;
    return white > black ? { black, white } : { black, white: last > black ? last : black + 1 };
  }
}

const SAMPLES = 200_000;
const MAX_LABELS = 200;
const AXES = [0, 1, 2] as const;

function stridesOf({ size, type }: NiftiHeader, { axes }: Orientation): readonly [number, number, number] {
  const voxel = [type.bytes, size[0] * type.bytes, size[0] * size[1] * type.bytes] as const;
  const stride = (n: 0 | 1 | 2): number => voxel[axes[n].voxelAxis] * (axes[n].flipped ? -1 : 1);
  return [stride(0), stride(1), stride(2)];
}

/** Along a flipped axis, the first position is the last in the file. */
function originOf({ axes }: Orientation, strides: readonly [number, number, number]): number {
  return axes.reduce((sum, axis, n) => sum + (axis.flipped ? (axis.length - 1) * -(strides[n] ?? 0) : 0), 0);
}

/** Bytes of one volume. */
export function volumeBytes({ size, type }: Pick<NiftiHeader, "size" | "type">): number {
  return size[0] * size[1] * size[2] * type.bytes;
}

/** True if slices can be drawn, which excludes complex numbers and 128-bit floats. */
export function isDrawable({ type }: Pick<NiftiHeader, "type">): boolean {
  return type.read !== undefined || type.colors !== undefined;
}

/** The content of a header in plain words. */
export function headerFacts(header: NiftiHeader): readonly (readonly [string, string])[] {
  const { version, size, volumes, spacing, unit, type, slope, intercept, description } = header;
  return [
    ["Format", `NIfTI-${version}, ${header.littleEndian ? "little" : "big"}-endian`],
    ["Voxels", `${size.join(" × ")}${volumes > 1 ? `, ${volumes} volumes` : ""}`],
    ["Voxel size", `${spacing.map((value) => Number(value.toPrecision(4))).join(" × ")} ${unit}`],
    ["Values", slope === 1 && intercept === 0 ? type.name : `${type.name}, scaled by ${slope}, offset ${intercept}`],
    ["Orientation (i, j, k)", orientationText(header)],
    ...(description === "" ? [] : [["Description", description] as const]),
  ];
}

/** `right, front, top` for an image stored as RAS. */
function orientationText(header: NiftiHeader): string {
  const { axes, known } = orientationOf(header);
  if (!known) return "not specified";
  const ways = [0, 1, 2].map((voxelAxis) => {
    const n = axes.findIndex((axis) => axis.voxelAxis === voxelAxis);
    return WAYS[n]?.[axes[n]?.flipped === true ? 1 : 0] ?? "";
  });
  return ways.join(", ");
}

/** Side of the square that each plane fits in. */
export const PLANE_PX = 72;

/** The three planes through the initial position, side by side: small enough to keep many pictures. */
export function planesPicture(volume: Volume): Slice {
  const planes = Object.keys(PLANE_AXES) as Plane[]; // the keys of a Record over Plane
  const [width, height] = [PLANE_PX * planes.length, PLANE_PX];
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  const place = volume.startPlace();
  const window = volume.usualWindow();
  const extent = (axis: 0 | 1 | 2): number =>
    volume.orientation.axes[axis].length * volume.orientation.axes[axis].spacing;
  const scale = PLANE_PX / Math.max(extent(0), extent(1), extent(2));
  planes.forEach((plane, number) => {
    const [across, up, through] = PLANE_AXES[plane];
    const slice = volume.slice(plane, place[through], { volume: 0, window });
    const shown = [across, up].map((axis) => Math.max(1, Math.round(extent(axis) * scale)));
    paint(slice, { pixels, width, left: number * PLANE_PX, size: [shown[0] ?? 1, shown[1] ?? 1] });
  });
  return { width, height, pixels };
}

interface Target {
  readonly pixels: Uint8ClampedArray;
  readonly width: number;
  readonly left: number;
  readonly size: readonly [number, number];
}

/** Draws a slice in the middle of its square with nearest-neighbor sampling. */
function paint(slice: Slice, { pixels, width, left, size: [across, down] }: Target): void {
  const [fromX, fromY] = [left + Math.floor((PLANE_PX - across) / 2), Math.floor((PLANE_PX - down) / 2)];
  for (let y = 0; y < down; y += 1)
    for (let x = 0; x < across; x += 1) {
      const source =
        Math.floor(((y + 0.5) * slice.height) / down) * slice.width + Math.floor(((x + 0.5) * slice.width) / across);
      const target = ((fromY + y) * width + fromX + x) * 4;
      for (let part = 0; part < 3; part += 1) pixels[target + part] = slice.pixels[source * 4 + part] ?? 0;
    }
}
