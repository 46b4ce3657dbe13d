import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Select, Slider } from "../../../ui/field.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Facts } from "../../../ui/titled-section.tsx";
import type { Companion } from "../file-preview.tsx";
import { isTooLarge, previewKind } from "../preview-kind.ts";
import { loadNifti } from "./load-volume.ts";
import { createOverlay, linkPlaces } from "./overlay-slice.ts";
import { VolumeView } from "./volume-view.tsx";
import { type Place, type Volume, headerFacts } from "./volume.ts";

interface NiftiPreviewProps {
  readonly url: string;
  readonly name: string;
  readonly companions: readonly Companion[];
  /** True if the first companion is initially shown next to the image. */
  readonly showsCompanionFirst?: boolean;
}

/** A NIfTI image: its slices in three planes, other images over or below it, and its header. Drawn without WebGL. */
export default function NiftiPreview({ url, name, companions, showsCompanionFirst = false }: NiftiPreviewProps) {
  const loaded = useQuery(niftiQuery(url));
  const images = companions.filter((one) => previewKind(one.name) === "nifti" && !isTooLarge(one.name, one.sizeBytes));
  return (
    <QueryView query={loaded} rows={8}>
      {(data) =>
        data.kind === "fault" ? (
          <p className="text-failed">{data.fault}</p>
        ) : (
          <div className="space-y-4">
            {data.kind === "volume" ? (
              <WithCompanions
                volume={data.volume}
                name={name}
                images={images}
                besideAtFirst={showsCompanionFirst ? images[0]?.url : undefined}
              />
            ) : (
              <p className="text-canceled">{data.why}</p>
            )}
            <details>
              <summary className="w-fit cursor-pointer text-soft hover:text-ink">Header</summary>
              <div className="mt-2">
                <Facts facts={headerFacts(data.header)} />
              </div>
            </details>
          </div>
        )
      }
    </QueryView>
  );
}

interface WithCompanionsProps extends Pick<Parameters<typeof LinkedVolumes>[0], "volume" | "name"> {
  readonly images: readonly Companion[];
  readonly besideAtFirst: string | undefined;
}

/** Loads at most two other images: one overlay and one next to it. */
function WithCompanions({ volume, name, images, besideAtFirst = "" }: WithCompanionsProps) {
  const over = useCompanion(images, "");
  const beside = useCompanion(images, besideAtFirst);
  return (
    <div className="space-y-3">
      {images.length > 0 && (
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          <ImageSelect label="Overlay" images={images} value={over.url} onChange={over.choose} />
          <ImageSelect label="Side by side" images={images} value={beside.url} onChange={beside.choose} />
        </div>
      )}
      {over.note}
      {beside.note}
      <LinkedVolumes volume={volume} name={name} over={over.shown} beside={beside.shown} />
    </div>
  );
}

/** An image that is shown with another: its volume once it is loaded, until then a note. */
function useCompanion(images: readonly Companion[], first: string) {
  const [url, choose] = useState(first);
  const { data, isError } = useQuery({ ...niftiQuery(url), enabled: url !== "" });
  const name = images.find((image) => image.url === url)?.name ?? "";
  if (url === "") return { url, choose };
  if (data?.kind === "volume") return { url, choose, shown: { volume: data.volume, name } };
  const isFailed = isError || data !== undefined;
  const note = isFailed ? (
    <p className="text-failed">{name} cannot be displayed.</p>
  ) : (
    <p className="text-soft">Loading {name}…</p>
  );
  return { url, choose, note };
}

interface ImageSelectProps {
  readonly label: string;
  readonly images: readonly Companion[];
  readonly value: string;
  readonly onChange: (url: string) => void;
}

function ImageSelect({ label, images, value, onChange }: ImageSelectProps) {
  return (
    <label className="flex items-center gap-2">
      {label}
      <Select
        className="w-auto max-w-72"
        value={value}
        none="None"
        options={images.map((image) => ({ id: image.url, label: `${image.label}: ${image.name}` }))}
        onChoose={onChange}
      />
    </label>
  );
}

/** Images are large, so the cache soon drops hidden ones. */
function niftiQuery(url: string) {
  return queryOptions({
    queryKey: ["nifti", url] as const,
    queryFn: ({ signal }) => loadNifti(url, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    structuralSharing: false,
  });
}

interface NamedVolume {
  readonly volume: Volume;
  readonly name: string;
}

interface LinkedVolumesProps extends NamedVolume {
  readonly over?: NamedVolume | undefined;
  readonly beside?: NamedVolume | undefined;
}

/**
 * An image with an optional overlay and an optional second image below it. The planes of all of them intersect at the
 * same point of the body.
 */
function LinkedVolumes({ volume, name, over, beside }: LinkedVolumesProps) {
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
          <SideBySide key={beside.name} main={volume} other={beside} place={place} onPlace={setPlace} />
        </section>
      )}
    </div>
  );
}

interface SideBySideProps {
  readonly main: Volume;
  readonly other: NamedVolume;
  /** The cursor in the main image. */
  readonly place: Place;
  readonly onPlace: (place: Place) => void;
}

/** Moves with the main image, in both directions; outside the common area, it keeps its position. */
function SideBySide({ main, other, place, onPlace }: SideBySideProps) {
  const forth = linkPlaces(main, other.volume);
  const back = linkPlaces(other.volume, main);
  const [own, setOwn] = useState<Place>(() => forth?.(place) ?? other.volume.startPlace());
  const [seen, setSeen] = useState(place);
  if (seen !== place) {
    setSeen(place);
    const linked = forth?.(place);
    // Keeps the voxel that was selected here, even if the other image has larger voxels.
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

interface OpacitySliderProps {
  readonly opacity: number;
  readonly onChange: (opacity: number) => void;
}

function OpacitySlider({ opacity, onChange }: OpacitySliderProps) {
  const percent = Math.round(opacity * 100);
  return (
    <label className="flex items-center gap-2">
      Opacity
      <Slider
        className="w-44"
        min={0}
        max={100}
        step={5}
        value={percent}
        aria-valuetext={`${percent}%`}
        onChange={(event) => onChange(event.target.valueAsNumber / 100)}
      />
      <span className="w-12 text-soft tabular-nums">{percent}%</span>
    </label>
  );
}
