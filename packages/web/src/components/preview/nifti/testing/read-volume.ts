import assert from "node:assert/strict";
import { readNifti } from "../load-volume.ts";
import type { Volume } from "../volume.ts";
import { makeNifti, type MadeNifti } from "./make-nifti.ts";

/** Makes a file and reads it. */
export async function volumeOf(made: MadeNifti): Promise<Volume> {
  const loaded = await readNifti(new Blob([makeNifti(made)]).stream(), { mostBytes: 1e6 });
  if (loaded.kind !== "volume") assert.fail(JSON.stringify(loaded));
  return loaded.volume;
}

/** An affine whose axes are those of the body; `turn` is -1 if i runs to the left. */
export function scaled(step: number, [x, y, z]: readonly [number, number, number] = [0, 0, 0], turn: 1 | -1 = 1) {
  return [
    [step * turn, 0, 0, x],
    [0, step, 0, y],
    [0, 0, step, z],
  ];
}
