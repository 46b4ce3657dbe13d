import { useQuery } from "@tanstack/react-query";
import type { ResultCell, ResultRow, RunResults } from "@weft/shared/records/result-record.ts";
import { useRef, useState, type ReactNode } from "react";
import { RESULT_PAGE, resultsQuery, rowOfResults } from "../../../api/queries/result-queries.ts";
import { useWidth } from "../../../ui/use-layout.ts";
import { itemNumber, itemPlace, outputLabel, rowName, type ResultPlace, type ResultPlaces } from "./result-places.ts";
import { Caption, ResultTile } from "./result-tile.tsx";
import type { GridCell } from "../../../ui/grid/grid-cursor.ts";
import { TileGrid } from "./tile-grid.tsx";

interface ResultGalleryProps {
  readonly runId: string;
  readonly results: RunResults;
  readonly places: ResultPlaces;
  readonly text: string;
  readonly isList: boolean;
  readonly isThere: boolean;
  /** The result that the viewer shows or last showed. */
  readonly viewed: ResultPlace | undefined;
  readonly onOpen: (place: ResultPlace) => void;
  /** Increases when the viewer closes, to return the focus to its result. */
  readonly closings: number;
}

const TILE_PX = 152;
const NAME_PX = { wide: 128, narrow: 84 };
const PIXELS = { gallery: { item: 148, sample: 116 }, list: { item: 36, sample: 36 } } as const;

/** Results of the run as a whole as tiles, those of samples as a grid of samples and outputs. */
export function ResultGallery(props: ResultGalleryProps) {
  const { places } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const hasBoth = places.itemCount > 0 && places.sampleCount > 0;
  return (
    <div ref={box} className="space-y-5">
      {width > 0 && places.itemCount > 0 && (
        <Part title="Whole run" isTitled={hasBoth}>
          <Tiles {...props} width={width} count={places.itemCount} kind="item" />
        </Part>
      )}
      {width > 0 && places.sampleCount > 0 && (
        <Part title="By sample" isTitled={hasBoth}>
          {places.outputs.length === 1 && !props.isList ? (
            <Tiles {...props} width={width} count={places.sampleCount} kind="sample" />
          ) : (
            <SampleGrid {...props} width={width} />
          )}
        </Part>
      )}
    </div>
  );
}

function Part({
  title,
  isTitled,
  children,
}: {
  readonly title: string;
  readonly isTitled: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      {isTitled && <h2 className="mb-2">{title}</h2>}
      {children}
    </section>
  );
}

interface TilesProps extends ResultGalleryProps {
  readonly width: number;
  readonly count: number;
  readonly kind: "item" | "sample";
}

/** Results in sequence, as many per row as fit. */
function Tiles({ width, count, kind, ...props }: TilesProps) {
  const { places, isList, viewed, onOpen } = props;
  const perRow = isList ? 1 : Math.max(1, Math.min(count, Math.floor((width - 16) / TILE_PX)));
  const rows = Math.ceil(count / perRow);
  const placeOf = (number: number): ResultPlace | undefined =>
    kind === "item" ? itemPlace(places, number) : samplePlace(places, number, 0);
  const shown = viewed === undefined ? undefined : (kind === "item" ? itemNumber : sampleNumber)(places, viewed);
  const grid = useActive(shown === undefined ? undefined : cellAt(shown, perRow), props.closings);
  return (
    <TileGrid
      label={kind === "item" ? "Results of the run" : "Results by sample"}
      rows={rows}
      columns={perRow}
      rowPx={PIXELS[isList ? "list" : "gallery"].item}
      template={isList ? "minmax(0, 1fr)" : `repeat(${perRow}, minmax(0, 240px))`}
      minWidthPx={isList ? 0 : perRow * 120}
      isFramed={isList}
      active={grid.active.row * perRow + grid.active.column < count ? grid.active : cellAt(count - 1, perRow)}
      onActive={grid.move}
      onOpen={(cell) => openAt(placeOf(cell.row * perRow + cell.column), onOpen)}
      focusRequest={grid.focusRequest}
      renderCell={(row, column, isScrolling) => (
        <PlacedTile
          {...props}
          place={placeOf(row * perRow + column)}
          isScrolling={isScrolling}
          title={kind === "item" ? "output" : "row"}
        />
      )}
    />
  );
}

function cellAt(number: number, perRow: number): GridCell {
  return { row: Math.floor(number / perRow), column: number % perRow };
}

function openAt(place: ResultPlace | undefined, onOpen: (place: ResultPlace) => void): void {
  if (place !== undefined) onOpen(place);
}

function SampleGrid({ width, ...props }: ResultGalleryProps & { readonly width: number }) {
  const { places, isList, viewed, onOpen } = props;
  const { outputs, sampleCount } = places;
  const shown = viewed === undefined ? undefined : sampleNumber(places, viewed);
  const column = viewed === undefined ? 0 : Math.max(0, outputs.indexOf(viewed.output));
  const grid = useActive(shown === undefined ? undefined : { row: shown, column }, props.closings);
  const namePx = width < 600 ? NAME_PX.narrow : NAME_PX.wide;
  return (
    <TileGrid
      label="Results by sample"
      rows={sampleCount}
      columns={outputs.length}
      rowPx={PIXELS[isList ? "list" : "gallery"].sample}
      template={`${namePx}px repeat(${outputs.length}, minmax(${TILE_PX}px, 260px))`}
      minWidthPx={namePx + outputs.length * TILE_PX}
      isFramed
      active={{
        row: Math.min(grid.active.row, sampleCount - 1),
        column: Math.min(grid.active.column, outputs.length - 1),
      }}
      onActive={grid.move}
      onOpen={(cell) => openAt(samplePlace(places, cell.row, cell.column), onOpen)}
      focusRequest={grid.focusRequest}
      head={<OutputHeads outputs={outputs} columns={props.results.columns} />}
      renderRowHead={(row) => <RowHead {...props} number={places.firstSample + row} />}
      renderCell={(row, at, isScrolling) => (
        <PlacedTile {...props} place={samplePlace(places, row, at)} isScrolling={isScrolling} />
      )}
    />
  );
}

function OutputHeads({ outputs, columns }: Pick<ResultPlaces, "outputs"> & Pick<RunResults, "columns">) {
  return (
    <>
      <span role="columnheader" className="sticky left-0 bg-surface px-3 label-caps max-md:px-1.5">
        Sample
      </span>
      {outputs.map((output) => (
        <span key={output} role="columnheader" className="truncate px-2 label-caps" title={output}>
          {outputLabel(columns, output)}
        </span>
      ))}
    </>
  );
}

function RowHead({ number, ...props }: ResultGalleryProps & { readonly number: number }) {
  const row = useResultRow(props, number, true);
  return (
    <span
      role="rowheader"
      className="sticky left-0 z-1 flex items-center overflow-hidden border-r border-line bg-surface px-3 font-medium wrap-anywhere max-md:px-1.5"
    >
      <span className="line-clamp-3">{rowName(row) ?? "…"}</span>
    </span>
  );
}

interface PlacedTileProps extends ResultGalleryProps {
  /** The place; undefined after the last result. */
  readonly place: ResultPlace | undefined;
  readonly isScrolling: boolean;
  /** Caption above the picture; absent in a grid, which has column headers. */
  readonly title?: "output" | "row";
}

function PlacedTile({ place, isScrolling, title, ...props }: PlacedTileProps) {
  const row = useResultRow(props, place?.row ?? 0, place !== undefined && !isScrolling);
  if (place === undefined) return null;
  const cell = row?.cells.find(({ output }) => output === place.output);
  const name =
    title === "output"
      ? outputLabel(props.results.columns, place.output)
      : title === "row"
        ? (rowName(row) ?? "…")
        : undefined;
  if (row !== undefined && cell === undefined) return <span className="block p-2 text-soft">–</span>;
  if (props.isList) return <ListLine cell={cell} name={name} />;
  return <ResultTile cell={cell} title={name} isThere={props.isThere} isScrolling={isScrolling} />;
}

function ListLine({ cell, name }: { readonly cell: ResultCell | undefined; readonly name: string | undefined }) {
  return (
    <span className="flex h-full max-w-160 items-center gap-3 rounded px-2 text-small hover:bg-sunken">
      {name !== undefined && <span className="w-44 shrink-0 truncate font-medium max-md:w-24">{name}</span>}
      <Caption cell={cell} />
    </span>
  );
}

/** The row with a number, from the first response or from its own page. */
export function useResultRow(
  { runId, text, results }: Pick<ResultGalleryProps, "runId" | "text" | "results">,
  number: number,
  isWanted: boolean,
): ResultRow | undefined {
  const page = Math.floor(number / RESULT_PAGE);
  const { data } = useQuery({ ...resultsQuery(runId, { text, page }), enabled: isWanted });
  return rowOfResults(page === 0 ? results : data, number);
}

function samplePlace(
  { outputs, firstSample, sampleCount }: ResultPlaces,
  number: number,
  column: number,
): ResultPlace | undefined {
  const output = outputs[column];
  return output === undefined || number >= sampleCount ? undefined : { row: firstSample + number, output };
}

function sampleNumber(
  { outputs, firstSample, sampleCount }: ResultPlaces,
  { row, output }: ResultPlace,
): number | undefined {
  const number = row - firstSample;
  return outputs.includes(output) && number >= 0 && number < sampleCount ? number : undefined;
}

/** The cell in the tab order: the last one reached by arrow keys or shown in the viewer. */
function useActive(viewed: GridCell | undefined, closings: number) {
  const [active, setActive] = useState<GridCell>(viewed ?? { row: 0, column: 0 });
  const [focusRequest, setFocusRequest] = useState(0);
  const [seen, setSeen] = useState(closings);
  if (seen !== closings) {
    setSeen(closings);
    if (viewed !== undefined) {
      setActive(viewed);
      setFocusRequest(focusRequest + 1);
    }
  }
  const move = (cell: GridCell): void => {
    setActive(cell);
    setFocusRequest((before) => before + 1);
  };
  return { active, focusRequest, move };
}
