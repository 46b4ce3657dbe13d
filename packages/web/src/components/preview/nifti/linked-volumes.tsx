import { useMemo, useState } from "react";
import { linkPlaces } from "./linked-place.ts";
import { createOverlay } from "./overlay-slice.ts";
import type { Place, Volume } from "./volume.ts";
import { VolumeView } from "./volume-view.tsx";

interface NamedVolume {
  readonly volume: Volume;
  readonly name: string;
}

export interface LinkedVolumesProps extends NamedVolume {
  readonly over: NamedVolume | undefined;
  readonly beside: NamedVolume | undefined;
}

/**
 * An image with an optional overlay and an optional second image below it. The planes of all of them intersect at the
 * same point of the body.
 */
export function LinkedVolumes({ volume, name, over, beside }: LinkedVolumesProps) {
  const [place, setPlace] = useState<Place>(() => volume.startPlace());
  const [opacity, setOpacity] = useState(0.5);
  const overlay = useMemo(() => {
    const link = over === undefined ? undefined : linkPlaces(volume, over.volume);
    return over === undefined || link === undefined ? undefined : createOverlay(over.volume, link);
    // The overlay does not depend on the name.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [volume, over?.volume]);
  return (
    <div className="space-y-3">
      {over !== undefined &&
        (overlay === undefined ? (
          <p className="text-canceled">{over.name} cannot be overlaid: the headers lack orientation.</p>
        ) : (
          <OpacitySlider opacity={opacity} onChange={setOpacity} />
        ))}
      <VolumeView volume={volume} name={name} place={place} onPlace={setPlace} overlay={overlay} opacity={opacity} />
      {beside !== undefined && (
        <section aria-label={beside.name} className="border-t border-line pt-3">
          <h3 className="mb-2 wrap-anywhere">{beside.name}</h3>
          <Beside key={beside.name} main={volume} other={beside} place={place} onPlace={setPlace} />
        </section>
      )}
    </div>
  );
}

interface BesideProps {
  readonly main: Volume;
  readonly other: NamedVolume;
  /** In the main image. */
  readonly place: Place;
  readonly onPlace: (place: Place) => void;
}

/** Moves with the main image, in both directions; outside the common area, it keeps its position. */
function Beside({ main, other, place, onPlace }: BesideProps) {
  const [forth, back] = useMemo(
    () => [linkPlaces(main, other.volume), linkPlaces(other.volume, main)],
    [main, other.volume],
  );
  const [own, setOwn] = useState<Place>(() => forth?.(place) ?? other.volume.startPlace());
  const [seen, setSeen] = useState(place);
  if (seen !== place) {
    setSeen(place);
    const linked = forth?.(place);
    // Keeps what was selected here, even if the other image has larger voxels.
    if (linked !== undefined && !isSame(back?.(own), place)) setOwn(linked);
  }
  const move = (next: Place): void => {
    setOwn(next);
    const linked = back?.(next);
    if (linked !== undefined) onPlace(linked);
  };
  return (
    <>
      {forth === undefined && (
        <p className="mb-2 text-canceled">Cursors are not linked: the headers lack orientation.</p>
      )}
      <VolumeView volume={other.volume} name={other.name} place={own} onPlace={move} />
    </>
  );
}

function isSame(one: Place | undefined, other: Place): boolean {
  return one !== undefined && one.every((at, axis) => at === other[axis]);
}

function OpacitySlider({
  opacity,
  onChange,
}: {
  readonly opacity: number;
  readonly onChange: (opacity: number) => void;
}) {
  return (
    <label className="flex items-center gap-2">
      Opacity
      <input
        type="range"
        className="w-44 accent-accent"
        min={0}
        max={100}
        step={5}
        value={Math.round(opacity * 100)}
        aria-valuetext={`${Math.round(opacity * 100)} %`}
        onChange={(event) => onChange(event.target.valueAsNumber / 100)}
      />
      <span className="w-12 text-soft tabular-nums">{Math.round(opacity * 100)} %</span>
    </label>
  );
}
