import type { Window } from "./volume.ts";

export interface WindowControlsProps {
  readonly window: Window;
  /** The values that Reset restores; their width limits the sliders. */
  readonly usual: Window;
  readonly onChange: (window: Window) => void;
}

/** Which values are black and which are white, as numbers or as brightness (level) and contrast (window). */
export function WindowControls({ window, usual, onChange }: WindowControlsProps) {
  const { black, white } = window;
  const span = usual.white - usual.black;
  const [level, width] = [(black + white) / 2, white - black];
  const set = (nextLevel: number, nextWidth: number): void =>
    onChange({ black: nextLevel - nextWidth / 2, white: nextLevel + nextWidth / 2 });
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <Slider
        label="Level"
        value={level}
        from={usual.black - span / 2}
        to={usual.white + span / 2}
        onChange={(next) => set(next, width)}
      />
      <Slider label="Window" value={width} from={span / 100} to={span * 2} onChange={(next) => set(level, next)} />
      <span className="text-soft tabular-nums">
        black {short(black)}, white {short(white)}
      </span>
      <button type="button" className="btn btn-small" onClick={() => onChange(usual)}>
        Reset
      </button>
    </div>
  );
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
  readonly onChange: (value: number) => void;
}

function Slider({ label, value, from, to, onChange }: SliderProps) {
  return (
    <label className="flex items-center gap-2">
      {label}
      <input
        type="range"
        className="w-44 accent-accent"
        min={from}
        max={to}
        step={(to - from) / 200}
        value={value}
        aria-valuetext={short(value)}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </label>
  );
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
