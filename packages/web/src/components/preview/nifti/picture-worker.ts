import { expose } from "comlink";
import { readNifti } from "./load-volume.ts";
import { planesPicture, type Slice } from "./volume.ts";

/** Larger volumes get no thumbnail. */
const MAX_BYTES = 64 * 1024 ** 2;

/** The picture of a file, compressed or not; null if it cannot be drawn: the viewer says why. */
async function drawPicture(file: ArrayBuffer): Promise<Slice | null> {
  try {
    const loaded = await readNifti(new Blob([file]).stream(), { mostBytes: MAX_BYTES, mostVolumes: 1 });
    return loaded.kind === "volume" ? planesPicture(loaded.volume) : null;
  } catch {
    return null;
  }
}

export type DrawPicture = typeof drawPicture;

expose(drawPicture);
