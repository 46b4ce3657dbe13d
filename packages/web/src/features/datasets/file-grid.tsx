import { useQueries, useQuery } from "@tanstack/react-query";
import type { DatasetDetail } from "@weft/shared/records/dataset-record.ts";
import { useCallback, useMemo, useState } from "react";
import { datasetFilesQuery, FILES_PER_PAGE, type DatasetPlace } from "../../api/dataset-queries.ts";
import { countText } from "../../format/count-text.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { useSettled } from "./use-settled.ts";
import { ValueGrid } from "./value-grid.tsx";

export interface FileGridProps {
  readonly place: DatasetPlace;
  readonly detail: Pick<DatasetDetail, "fields">;
}

const PAUSE_MS = 300;

/** The files of a dataset with the fields of their names. Loads the pages that are visible. */
export function FileGrid({ place, detail }: FileGridProps) {
  const [q, setQ] = useState("");
  const asked = useSettled(q, PAUSE_MS);
  const first = useQuery(datasetFilesQuery(place, asked, 0));
  return (
    <div className="space-y-3">
      <SearchField className="w-full md:max-w-sm" label="Part of the path" value={q} onChange={setQ} />
      <QueryView query={first}>
        {({ total }) =>
          total === 0 ? (
            <EmptyState text={asked === "" ? "The dataset has no files." : `No files match “${asked}”.`} />
          ) : (
            <Pages key={asked} place={place} q={asked} total={total} detail={detail} />
          )
        }
      </QueryView>
    </div>
  );
}

interface PagesProps extends FileGridProps {
  readonly q: string;
  readonly total: number;
}

/** Rows of pages that are not loaded are empty until they are. */
function Pages({ place, q, total, detail }: PagesProps) {
  const [wanted, setWanted] = useState<ReadonlySet<number>>(new Set([0]));
  const pages = [...wanted];
  const answers = useQueries({ queries: pages.map((page) => datasetFilesQuery(place, q, page)) });
  const files = useMemo(
    () => new Map(answers.flatMap(({ data }) => data?.files.map((file, at) => [data.from + at, file] as const) ?? [])),
    [answers],
  );
  const names = useMemo(
    () => detail.fields.filter(({ source }) => source === "name").map(({ name }) => name),
    [detail.fields],
  );
  const columns = useMemo(
    () => [
      { id: "path", label: "Path", width: 300 },
      ...detail.fields
        .filter(({ source }) => source === "name")
        .map(({ name, label }) => ({ id: name, label, width: 110 })),
    ],
    [detail.fields],
  );
  const cellAt = useCallback(
    (row: number, column: number) => {
      const page = Math.floor(row / FILES_PER_PAGE);
      if (!wanted.has(page)) queueMicrotask(() => setWanted((known) => new Set([...known, page])));
      const file = files.get(row);
      return column === 0 ? (file?.path ?? "…") : (file?.fields[names[column - 1] ?? ""] ?? "");
    },
    [files, names, wanted],
  );
  return (
    <>
      <p className="text-soft">{countText(total, "file")}</p>
      <ValueGrid label="Files" columns={columns} rows={total} cellAt={cellAt} shown={18} />
    </>
  );
}
