import type { LeftOut, QueryResult } from "@weft/shared/records/dataset-record.ts";
import { useState } from "react";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { fileName, isFileValue } from "../../format/value-text.ts";
import type { GridCursor } from "../../ui/grid/grid-cursor.ts";
import { VirtualGrid } from "../../ui/grid/virtual-grid.tsx";
import { Segments } from "../../ui/segments.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { Notice } from "../../ui/notice.tsx";

const ROW_PX = 32;

/** The result of a query and the samples that it left out, with the reasons. */
export function QueryResultView({ result, isOld }: { readonly result: QueryResult; readonly isOld: boolean }) {
  return (
    <div className="grid gap-5 xl:grid-cols-2" aria-busy={isOld}>
      <FoundSamples samples={result.samples} />
      <LeftOutList result={result} />
    </div>
  );
}

function FoundSamples({ samples }: Pick<QueryResult, "samples">) {
  const names = Object.keys(samples[0]?.columns ?? {});
  return (
    <TitledSection title={`Found: ${countText(samples.length, "sample")}`}>
      {samples.length === 0 ? (
        <Notice>No samples match. The list of left-out samples has the reasons.</Notice>
      ) : (
        <ValueGrid
          label="Found samples"
          columns={[
            { label: "Sample", width: 150, text: (sample) => sample.name },
            ...names.map((label) => ({
              label,
              width: 180,
              text: (sample: (typeof samples)[number]) => cellText(sample.columns[label]),
            })),
          ]}
          rows={samples.length}
          rowAt={(row) => samples[row]}
        />
      )}
    </TitledSection>
  );
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return `${value.length}: ${value.map(cellText).join(", ")}`;
  if (!isFileValue(value)) return String(value);
  const { length } = value.secondaryFiles ?? [];
  return length === 0 ? fileName(value) : `${fileName(value)} + ${length}`;
}

const REASON_COLUMNS: readonly ValueColumn<LeftOut>[] = [
  { label: "Left out", width: 190, text: ({ name }) => name },
  { label: "Reason", width: 240, text: ({ reason }) => reason },
];

/** Samples first; files on request, because most files of a study belong to other queries. */
function LeftOutList({ result }: { readonly result: QueryResult }) {
  const [kind, setKind] = useState<LeftOut["kind"]>("sample");
  const entries = result.left_out.filter((entry) => entry.kind === kind);
  const total = kind === "sample" ? result.samples_left_out : result.files_left_out;
  return (
    <TitledSection title="Left out">
      <div className="mb-2">
        <Segments
          label="Kind of entries"
          options={[
            { id: "sample", label: countText(result.samples_left_out, "sample") },
            { id: "file", label: countText(result.files_left_out, "file") },
          ]}
          chosen={kind}
          onChoose={setKind}
        />
      </div>
      {entries.length === 0 ? (
        <Notice>Nothing.</Notice>
      ) : (
        <ValueGrid
          label="Left out, with reasons"
          columns={REASON_COLUMNS}
          rows={entries.length}
          rowAt={(row) => entries[row]}
          shown={11}
        />
      )}
      {entries.length < total && (
        <p className="mt-1 text-soft">
          The first {numberText(entries.length)} of {numberText(total)}.
        </p>
      )}
    </TitledSection>
  );
}

export interface ValueColumn<Row> {
  readonly label: string;
  readonly width: number;
  readonly text: (row: Row) => string;
}

interface ValueGridProps<Row> {
  readonly label: string;
  readonly columns: readonly ValueColumn<Row>[];
  readonly rows: number;
  /** Undefined until the row has been loaded. */
  readonly rowAt: (row: number) => Row | undefined;
  /** Maximum number of visible rows. */
  readonly shown?: number;
}

/** A virtualized table of texts that can be scrolled and read by keyboard. */
export function ValueGrid<Row>({ label, columns, rows, rowAt, shown = 12 }: ValueGridProps<Row>) {
  const [cursor, setCursor] = useState<GridCursor | undefined>(undefined);
  const textAt = (row: number, column: number): string => {
    const found = rowAt(row);
    if (found === undefined) return column === 0 ? "…" : "";
    return columns[column]?.text(found) ?? "";
  };
  return (
    <div className="card overflow-hidden" style={{ height: 36 + Math.max(2, Math.min(rows, shown)) * ROW_PX }}>
      <VirtualGrid
        className="h-full"
        label={label}
        rows={rows}
        columns={columns.map((column, place) => ({ ...column, id: String(place) }))}
        pinned={1}
        rowPx={ROW_PX}
        cursor={cursor}
        onCursor={setCursor}
        renderCell={(row, column) => <span className="truncate">{textAt(row, column)}</span>}
        marksOf={(row, column) => ({ title: textAt(row, column) })}
      />
    </div>
  );
}
