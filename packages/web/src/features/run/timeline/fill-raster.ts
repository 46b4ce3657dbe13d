import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import type { TimeView } from "./time-view.ts";
import { PIECE_KINDS, type PieceKind, visitSegments } from "./timeline-jobs.ts";

/**
 * An image with one number per pixel: 0 for nothing, else the index in PIECE_KINDS plus one. Bars thinner than a pixel
 * merge into the largest number, which is the worst state, so the cost depends on the pixels, not on the number of
 * jobs.
 */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Height of a waiting job's line as a share of the bar's height. */
const THIN = 4;

// The object has all kinds as keys, which Object.fromEntries cannot express.
const CODES = Object.fromEntries(PIECE_KINDS.map((kind, place) => [kind, place + 1])) as Readonly<
  Record<PieceKind, number>
>;

/** Draws the visible rows. A bar is at least one pixel wide and high, so that no job disappears. */
export function fillRaster(raster: Raster, rows: readonly JobTimes[], view: TimeView, nowMs: number): void {
  raster.pixels.fill(0);
  const rowHeight = raster.height / (view.bottom - view.top);
  const gap = rowHeight >= 5 ? Math.max(1, Math.floor(rowHeight / 6)) : 0;
  const last = Math.min(rows.length, Math.ceil(view.bottom));
  let [top, bottom, lineTop, lineBottom] = [0, 0, 0, 0];
  const visit = (kind: PieceKind, fromMs: number, toMs: number): void => {
    if (kind === "waiting") fillPiece(raster, kind, { fromMs, toMs, top: lineTop, bottom: lineBottom }, view);
    else fillPiece(raster, kind, { fromMs, toMs, top, bottom }, view);
  };
  for (let row = Math.max(0, Math.floor(view.top)); row < last; row += 1) {
    const job = rows[row];
    if (job === undefined) continue;
    top = Math.floor((row - view.top) * rowHeight);
    bottom = Math.max(top + 1, Math.floor((row + 1 - view.top) * rowHeight) - gap);
    // Waiting is a thin line in the middle of the bar.
    const thin = Math.max(1, Math.round((bottom - top) / THIN));
    lineTop = top + Math.floor((bottom - top - thin) / 2);
    lineBottom = lineTop + thin;
    visitSegments(job, nowMs, visit);
  }
}

interface Box {
  readonly fromMs: number;
  readonly toMs: number;
  readonly top: number;
  readonly bottom: number;
}

function fillPiece({ width, height, pixels }: Raster, kind: PieceKind, box: Box, view: TimeView): void {
  const scale = width / (view.toMs - view.fromMs);
  const left = Math.max(0, Math.floor((box.fromMs - view.fromMs) * scale));
  const right = Math.min(width, Math.max(left + 1, Math.floor((box.toMs - view.fromMs) * scale)));
  if (box.toMs < view.fromMs || left >= right) return;
  const code = CODES[kind];
  for (let y = Math.max(0, box.top); y < Math.min(height, box.bottom); y += 1) {
    const end = y * width + right;
    for (let at = y * width + left; at < end; at += 1) if ((pixels[at] ?? 0) < code) pixels[at] = code;
  }
}

/** Patterns that distinguish the kinds without color: whether a pixel has the full color or a lighter one. */
export function isInked(code: number, x: number, y: number): boolean {
  switch (PIECE_KINDS[code - 1]) {
    case "waiting":
      return x % 4 === 0 && y % 4 === 0;
    case "running":
      return (x + y) % 6 < 3;
    case "collecting":
      return x % 4 < 2;
    case "failed":
      return (x + y) % 6 < 4 || (x - y + 6000) % 6 < 3;
    case "canceled":
      return (x - y + 6000) % 6 < 3;
    case "preempted":
      return y % 4 < 2;
    default:
      return true;
  }
}
