import { useState } from "react";
import type { Overlay } from "./overlay-slice.ts";
import { SlicePlane } from "./slice-plane.tsx";
import { toVoxel, toWorld } from "./orientation.ts";
import { PLANE_AXES, type Place, type Plane, type Volume, type Window } from "./volume.ts";
import { WindowControls } from "./window-controls.tsx";

const PLANES = Object.keys(PLANE_AXES) as Plane[]; // the keys of a Record over Plane

export interface VolumeViewProps {
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
      <p className="text-[0.8125rem] text-soft">
        {known ? "Neurological view: left is left" : "No orientation in the header – shown along voxel axes"}
      </p>
      {volume.header.volumes > 1 && <VolumeSlider volume={volume} shown={shown} onShow={setShown} />}
      {volume.header.type.colours === undefined && (
        <WindowControls window={window} usual={usual} onChange={setWindow} />
      )}
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
      <input
        type="range"
        className="w-72 max-w-full accent-accent"
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
