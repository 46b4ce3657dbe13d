import { useLayoutEffect, useMemo, useRef, type ComponentProps, type MouseEvent } from "react";
import { Slider } from "../../../ui/field.tsx";
import { overlaySlice, type Overlay } from "./overlay-slice.ts";
import type { BodyAxis } from "./orientation.ts";
import { PLANE_AXES, type Place, type Plane, type Slice, type Volume, type Window } from "./volume.ts";

interface SliceView {
  readonly plane: Plane;
  readonly place: Place;
  readonly volume: number;
  readonly window: Window;
  readonly overlay?: Overlay | undefined;
  /** Opacity of the overlay: 0 to 1. */
  readonly opacity?: number;
}

interface SlicePlaneProps {
  readonly name: string;
  readonly volume: Volume;
  readonly view: SliceView;
  readonly onPlace: (place: Place) => void;
}

const TITLES: Readonly<Record<Plane, string>> = { axial: "Axial", coronal: "Coronal", sagittal: "Sagittal" };
/** The labels at the ends of each body axis. */
const ENDS = [
  ["L", "R"],
  ["P", "A"],
  ["I", "S"],
] as const;

/** One plane with its slider; voxels have the proportions from the header. */
export function SlicePlane(props: SlicePlaneProps) {
  const { volume, view, onPlace } = props;
  const { plane, place } = view;
  const { axes } = volume.orientation;
  const [across, up, through] = PLANE_AXES[plane];
  return (
    <div>
      <div className="max-w-96">
        <div className="relative bg-black" style={{ width: `${shareOfWidth(axes, across) * 100}%` }}>
          <SlicePicture {...props} />
          <CrossHair x={(place[across] + 0.5) / axes[across].length} y={1 - (place[up] + 0.5) / axes[up].length} />
          {volume.orientation.known && <EndLabels across={across} up={up} />}
        </div>
      </div>
      <SliceSlider
        title={TITLES[plane]}
        at={place[through]}
        count={axes[through].length}
        onMove={(next) => onPlace(place.with(through, next) as unknown as Place)} // `with` keeps the length of the tuple
      />
    </div>
  );
}

/** The slice and its overlay. */
function SlicePicture({ name, volume, view, onPlace }: SlicePlaneProps) {
  const { plane, place, volume: index, window, overlay } = view;
  const { axes } = volume.orientation;
  const [across, up, through] = PLANE_AXES[plane];
  const at = place[through];
  const slice = useMemo(() => volume.slice(plane, at, { volume: index, window }), [volume, plane, at, index, window]);
  const above = useMemo(() => overlay && overlaySlice(overlay, volume, { plane, at }), [overlay, volume, plane, at]);
  const pick = ({ nativeEvent: { offsetX, offsetY }, currentTarget }: MouseEvent): void => {
    const next: [number, number, number] = [...place];
    next[across] = cell(offsetX / currentTarget.clientWidth, axes[across].length);
    next[up] = cell(1 - offsetY / currentTarget.clientHeight, axes[up].length);
    onPlace(next);
  };
  return (
    <>
      <SliceCanvas
        slice={slice}
        role="img"
        aria-label={`${TITLES[plane]} slice ${at + 1} of ${axes[through].length} of ${name}`}
        className="block w-full cursor-crosshair"
        style={{
          aspectRatio: `${axes[across].length * axes[across].spacing} / ${axes[up].length * axes[up].spacing}`,
        }}
        onClick={pick}
      />
      {above !== undefined && (
        <SliceCanvas
          slice={above}
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 size-full"
          style={{ opacity: view.opacity ?? 1 }}
        />
      )}
    </>
  );
}

/** A canvas with one pixel per voxel. */
function SliceCanvas({ slice, className, ...props }: ComponentProps<"canvas"> & { readonly slice: Slice }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height, pixels } = slice;
  useLayoutEffect(() => {
    canvas.current?.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
  }, [pixels, width, height]);
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      className={`[image-rendering:pixelated] ${className}`}
      {...props}
    />
  );
}

interface SliceSliderProps {
  readonly title: string;
  /** Index of the slice. */
  readonly at: number;
  readonly count: number;
  readonly onMove: (at: number) => void;
}

function SliceSlider({ title, at, count, onMove }: SliceSliderProps) {
  return (
    <label className="mt-1.5 flex items-center gap-2 text-small">
      <span className="w-32 shrink-0 tabular-nums">
        {title} {at + 1} of {count}
      </span>
      <Slider
        className="min-w-0 flex-1"
        min={0}
        max={count - 1}
        value={at}
        onChange={(event) => onMove(event.target.valueAsNumber)}
      />
    </label>
  );
}

/** All planes have the same scale: the widest fills its column. */
function shareOfWidth(axes: Volume["orientation"]["axes"], across: 0 | 1 | 2): number {
  const extent = ({ length, spacing }: BodyAxis): number => length * spacing;
  return extent(axes[across]) / Math.max(extent(axes[0]), extent(axes[1]));
}

function cell(share: number, length: number): number {
  return Math.min(length - 1, Math.max(0, Math.floor(share * length)));
}

function CrossHair({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 w-px bg-[#4ade80]/70"
        style={{ left: `${x * 100}%` }}
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-0 h-px bg-[#4ade80]/70"
        style={{ top: `${y * 100}%` }}
      />
    </>
  );
}

function EndLabels({ across, up }: { readonly across: 0 | 1 | 2; readonly up: 0 | 1 | 2 }) {
  const labels = [
    { text: ENDS[across][0], at: "left-1 top-1/2 -translate-y-1/2" },
    { text: ENDS[across][1], at: "right-1 top-1/2 -translate-y-1/2" },
    { text: ENDS[up][1], at: "top-0.5 left-1/2 -translate-x-1/2" },
    { text: ENDS[up][0], at: "bottom-0.5 left-1/2 -translate-x-1/2" },
  ];
  return labels.map(({ text, at }) => (
    <span
      key={text}
      aria-hidden="true"
      className={`pointer-events-none absolute rounded bg-black/70 px-1 text-caption font-semibold text-white ${at}`}
    >
      {text}
    </span>
  ));
}
