import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Slider } from "../../../ui/field.tsx";
import { toVoxel, toWorld } from "./orientation.ts";
import type { Overlay } from "./overlay-slice.ts";
import { SlicePlane } from "./slice-plane.tsx";
import { PLANE_AXES, type Place, type Plane, type Volume, type Window } from "./volume.ts";

const PLANES = Object.keys(PLANE_AXES) as Plane[]; // the keys of a Record over Plane

interface VolumeViewProps {
  readonly volume: Volume;
  readonly name: string;
  /** The point where its planes intersect. */
  readonly place: Place;
  readonly onPlace: (place: Place) => void;
  readonly overlay?: Overlay | undefined;
  readonly opacity?: number;
}

/** Three planes through one point, which a click or a slider moves. */
export function VolumeView({ volume, name, place, onPlace, overlay, opacity = 1 }: VolumeViewProps) {
  const { known } = volume.orientation;
  const [shown, setShown] = useState(0);
  const [usual] = useState(() => volume.usualWindow());
  const [window, setWindow] = useState<Window>(usual);
  return (
    <div className="space-y-3">
      <div className="grid gap-4 sm:grid-cols-3">
        {PLANES.map((plane) => (
          <SlicePlane
            key={plane}
            name={name}
            volume={volume}
            view={{ plane, place, volume: shown, window, overlay, opacity }}
            onPlace={onPlace}
          />
        ))}
      </div>
      <p className="text-small text-soft">
        {known ? "Neurological view: left is left" : "No orientation in the header – shown along voxel axes"}
      </p>
      {volume.header.volumes > 1 && <VolumeSlider volume={volume} shown={shown} onShow={setShown} />}
      {volume.header.type.colors === undefined && <WindowControls window={window} usual={usual} onChange={setWindow} />}
      <PlaceText volume={volume} place={place} shown={shown} />
    </div>
  );
}

interface VolumeSliderProps {
  readonly volume: Volume;
  readonly shown: number;
  readonly onShow: (volume: number) => void;
}

function VolumeSlider({ volume, shown, onShow }: VolumeSliderProps) {
  const all = volume.header.volumes;
  return (
    <label className="flex flex-wrap items-center gap-2">
      <span className="w-32">
        Volume {shown + 1} of {all}
      </span>
      <Slider
        className="w-72 max-w-full"
        min={0}
        max={volume.volumes - 1}
        value={shown}
        onChange={(event) => onShow(event.target.valueAsNumber)}
      />
      {volume.volumes < all && <span className="text-canceled">Only the first {volume.volumes} are available.</span>}
    </label>
  );
}

interface PlaceTextProps {
  readonly volume: Volume;
  readonly place: Place;
  readonly shown: number;
}

function PlaceText({ volume, place, shown }: PlaceTextProps) {
  const voxel = toVoxel(volume.orientation, place);
  const { affine } = volume.header;
  const value = volume.valueAt(place, shown);
  return (
    <p className="tabular-nums" role="status">
      Voxel {voxel.join(", ")}
      {affine !== undefined &&
        ` at ${toWorld(affine, voxel)
          .map((mm) => mm.toFixed(1))
          .join(", ")} mm`}
      : <strong>{Number(value.toPrecision(6))}</strong>
    </p>
  );
}

interface WindowControlsProps {
  readonly window: Window;
  /** The values that Reset restores; their width limits the sliders. */
  readonly usual: Window;
  readonly onChange: (window: Window) => void;
}

/** The values that are shown as black and white, as numbers or as brightness (level) and contrast (window). */
function WindowControls({ window, usual, onChange }: WindowControlsProps) {
  const { black, white } = window;
  const span = usual.white - usual.black;
  const [level, width] = [(black + white) / 2, white - black];
  const set = (nextLevel: number, nextWidth: number): void =>
    onChange({ black: nextLevel - nextWidth / 2, white: nextLevel + nextWidth / 2 });
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <WindowSlider
        label="Level"
        value={level}
        from={usual.black - span / 2}
        to={usual.white + span / 2}
        onChange={(next) => set(next, width)}
      />
      <WindowSlider
        label="Window"
        value={width}
        from={span / 100}
        to={span * 2}
        onChange={(next) => set(level, next)}
      />
      <span className="text-soft tabular-nums">
        black {short(black)}, white {short(white)}
      </span>
      <Button small onClick={() => onChange(usual)}>
        Reset
      </Button>
    </div>
  );
}

interface WindowSliderProps {
  readonly label: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
  readonly onChange: (value: number) => void;
}

function WindowSlider({ label, value, from, to, onChange }: WindowSliderProps) {
  return (
    <label className="flex items-center gap-2">
      {label}
      <Slider
        className="w-44"
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
