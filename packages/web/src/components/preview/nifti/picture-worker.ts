import { readNifti } from "./load-volume.ts";
import { planesPicture } from "./planes-picture.ts";
import type { Slice } from "./volume.ts";

/** A file as read, compressed or not. */
export interface PictureRequest {
  readonly id: number;
  readonly file: ArrayBuffer;
}

export interface PictureAnswer {
  readonly id: number;
  /** The picture; undefined if the file cannot be drawn. */
  readonly picture: Slice | undefined;
}

/** Larger volumes get no thumbnail. */
const MAX_BYTES = 64 * 1024 ** 2;

/** The part of a worker's global scope that is used here; the page's types know only the page's. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: MessageEvent<PictureRequest>) => void): void;
  postMessage(answer: PictureAnswer): void;
}

const scope = globalThis as unknown as WorkerScope; // this file runs only as a worker
scope.addEventListener("message", ({ data: { id, file } }) => {
  void pictureOf(file).then((picture) => scope.postMessage({ id, picture }));
});

/** A file that cannot be drawn has no picture; the viewer says why. */
async function pictureOf(file: ArrayBuffer): Promise<Slice | undefined> {
  try {
    const loaded = await readNifti(new Blob([file]).stream(), { mostBytes: MAX_BYTES, mostVolumes: 1 });
    return loaded.kind === "volume" ? planesPicture(loaded.volume) : undefined;
  } catch {
    return undefined;
  }
}
