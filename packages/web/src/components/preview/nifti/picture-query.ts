import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "@weft/shared/routes/client.ts";
import type { PictureAnswer, PictureRequest } from "./picture-worker.ts";
import { TurnTaker } from "./turn-taker.ts";
import type { Slice } from "./volume.ts";

/** Keeps hidden pictures for a moment, because users scroll back. */
const FORGET_MS = 15_000;
/** Maximum number drawn at a time, because each is in memory meanwhile. */
const turns = new TurnTaker(2);

/** The three planes of a NIfTI image as a small picture, drawn by a worker; null where it cannot be drawn. */
export function pictureQuery(url: string) {
  return queryOptions({
    queryKey: ["nifti-picture", url] as const,
    queryFn: ({ signal }) => turns.take(signal, () => draw(url, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: FORGET_MS,
    structuralSharing: false,
  });
}

let worker: Worker | undefined;
let lastId = 0;
const open = new Map<number, (picture: Slice | null) => void>();

/** The page reads and the worker draws: the worker's content security policy forbids it to fetch. */
async function draw(url: string, signal: AbortSignal): Promise<Slice | null> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new ApiError(response.status, undefined);
  const file = await response.arrayBuffer();
  const id = ++lastId;
  const request: PictureRequest = { id, file };
  return new Promise((resolve) => {
    open.set(id, resolve);
    (worker ??= start()).postMessage(request, [file]);
  });
}

function start(): Worker {
  const started = new Worker(new URL("./picture-worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data: { id, picture } }: MessageEvent<PictureAnswer>) => {
    open.get(id)?.(picture ?? null);
    open.delete(id);
  });
  return started;
}
