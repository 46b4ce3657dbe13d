import { useEffect, useRef } from "react";
import { TONE_TEXT } from "../../../ui/state-badge.tsx";
import { isInked } from "./fill-raster.ts";
import { PIECE_KINDS, PIECE_LOOKS, type PieceKind } from "./job-segments.ts";

const SWATCH = { width: 24, height: 12 };

/** Legend of the bars' colors and patterns. */
export function TimelineLegend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-soft">
      {PIECE_KINDS.map((kind) => (
        <li key={kind} className="flex items-center gap-1.5">
          <Swatch kind={kind} />
          {PIECE_LOOKS[kind].word}
        </li>
      ))}
    </ul>
  );
}

function Swatch({ kind }: { readonly kind: PieceKind }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context === undefined || context === null) return;
    context.clearRect(0, 0, SWATCH.width, SWATCH.height);
    context.fillStyle = getComputedStyle(context.canvas).color;
    const code = PIECE_KINDS.indexOf(kind) + 1;
    for (let y = 0; y < SWATCH.height; y += 1)
      for (let x = 0; x < SWATCH.width; x += 1) {
        context.globalAlpha = isInked(code, x, y) ? 1 : 0.38;
        context.fillRect(x, y, 1, 1);
      }
  });
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      width={SWATCH.width}
      height={SWATCH.height}
      className={TONE_TEXT[PIECE_LOOKS[kind].tone]}
    />
  );
}
