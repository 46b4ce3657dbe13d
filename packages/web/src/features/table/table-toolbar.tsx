import type { TableFormat } from "@weft/shared/records/table-record.ts";
import { tableFileUrl } from "../../api/table-queries.ts";
import { countText } from "../../format/count-text.ts";
import { Icon } from "../../ui/icon.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import type { PairedColumn } from "./pair-runs.ts";

export interface TableToolbarProps {
  /** Number of rows that match the filter. */
  readonly shown: number;
  readonly total: number;
  readonly columns: readonly PairedColumn[];
  readonly chosen: readonly string[];
  readonly runIds: readonly string[];
  /** Number of files without measures. */
  readonly unread: number;
  readonly onPick: () => void;
}

const VIEWS = [
  { id: "", label: "Table" },
  { id: "plots", label: "Plots" },
] as const;

/** Filter, fields, view and export. */
export function TableToolbar({ shown, total, columns, chosen, runIds, unread, onPick }: TableToolbarProps) {
  const example = columns.find(({ type, label }) => type === "number" && !label.includes(" "))?.label;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="w-full md:w-72">
        <SearchBox label={example === undefined ? "Filter" : `Filter, such as ${example} > 10`} />
      </div>
      <ViewSwitch />
      <button type="button" className="btn" onClick={onPick}>
        Fields ({chosen.length})
      </button>
      <span role="status" className="text-soft tabular-nums">
        {shown === total ? countText(total, "sample") : `${shown} of ${countText(total, "sample")}`}
        {unread > 0 && `, ${countText(unread, "file")} not read`}
      </span>
      <ExportLinks runIds={runIds} fields={chosen} />
    </div>
  );
}

function ViewSwitch() {
  const [show, setShow] = useSearchParam("show");
  return (
    <div role="group" aria-label="View" className="flex rounded-lg border border-line bg-surface p-0.5">
      {VIEWS.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          aria-pressed={show === id}
          className="min-h-7 rounded-md px-2.5 font-medium text-soft -outline-offset-2 hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:min-h-10"
          onClick={() => setShow(id, { replace: true })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

const FORMATS: readonly { readonly format: TableFormat; readonly label: string }[] = [
  { format: "csv", label: "CSV" },
  { format: "tsv", label: "TSV" },
  { format: "parquet", label: "Parquet" },
];

/** All samples, without the filter. */
function ExportLinks({ runIds, fields }: { readonly runIds: readonly string[]; readonly fields: readonly string[] }) {
  return (
    <span role="group" aria-label="Download all samples" className="ml-auto flex items-center gap-1">
      <Icon name="download" className="size-3.5 text-soft" />
      {FORMATS.map(({ format, label }) => (
        <a key={format} className="btn btn-small max-md:min-h-11" href={tableFileUrl(runIds, fields, format)} download>
          {label}
        </a>
      ))}
    </span>
  );
}
