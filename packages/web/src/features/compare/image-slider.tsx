import { useState } from "react";
import { MARKS } from "./compare-runs.ts";

export interface ImageSliderProps {
  readonly before: string;
  readonly after: string;
  /** Label of the other run. */
  readonly mark: string;
}

/** Two images on top of each other: the first left of the slider, the other right of it. */
export function ImageSlider({ before, after, mark }: ImageSliderProps) {
  const [share, setShare] = useState(50);
  return (
    <div className="mx-auto max-w-5xl space-y-2">
      <label className="flex items-center gap-3">
        <span className="font-semibold">{MARKS[0]}</span>
        <input
          type="range"
          aria-label={`Portion showing ${MARKS[0]}`}
          aria-valuetext={`${share} % ${MARKS[0]}, ${100 - share} % ${mark}`}
          className="min-w-0 flex-1 accent-accent"
          min={0}
          max={100}
          value={share}
          onChange={(event) => setShare(event.target.valueAsNumber)}
        />
        <span className="font-semibold">{mark}</span>
      </label>
      <div className="relative h-[70vh] overflow-hidden rounded-lg border border-line bg-white">
        <img src={after} alt={mark} className="absolute inset-0 size-full object-contain [image-rendering:auto]" />
        <img
          src={before}
          alt={MARKS[0]}
          className="absolute inset-0 size-full bg-white object-contain"
          style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 w-0.5 bg-[#4338ca]"
          style={{ left: `${share}%` }}
        />
      </div>
    </div>
  );
}
