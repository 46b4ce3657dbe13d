import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { AuditEntry } from "@weft/shared/records/audit-record.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import { routeQuery } from "../../api/route-query.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Input, Select } from "../../ui/field.tsx";
import { dayRange } from "../../components/day-range.ts";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";

const COLUMNS: readonly Column[] = [
  { label: "Time" },
  { label: "User" },
  { label: "Action" },
  { label: "Target" },
  { label: "Result" },
  { label: "Client" },
];

/** The audit log, newest first, with filters. Only admins can read it. */
export function AuditTab() {
  const [principal] = useSearchParam("principal");
  const [action] = useSearchParam("action");
  const [refused] = useSearchParam("refused");
  const [since] = useSearchParam("since");
  const [page] = useSearchParam("page");
  const query = {
    ...{ principal, action, since: dayRange({ from: since, to: "" }).since, page_size: 50, page_token: page },
    refused: refused === "" ? undefined : String(refused === "yes"),
  };
  const audit = useQuery({ ...routeQuery("GET /api/audit", { query }), placeholderData: keepPreviousData });
  return (
    <>
      <Filters />
      <QueryView query={audit}>
        {({ entries, run_names: names, next_page_token }) => (
          <>
            {entries.length === 0 ? (
              <EmptyState text={next_page_token === "" ? "No entries match." : "No entries match on this page."} />
            ) : (
              <DataTable caption="Audit log, newest first" columns={COLUMNS}>
                {entries.map((entry) => (
                  <EntryRow key={entry.seq} entry={entry} names={names} />
                ))}
              </DataTable>
            )}
            <Pager nextPageToken={next_page_token} shown={entries.length} total={null} noun="row" />
          </>
        )}
      </QueryView>
    </>
  );
}

function Filters() {
  const [refused, setRefused] = useSearchParam("refused");
  const [since, setSince] = useSearchParam("since");
  return (
    <div className="mb-3 flex flex-wrap items-end gap-3">
      <TextFilter label="User" param="principal" />
      <TextFilter label="Action" param="action" placeholder="createRun" />
      <label className="text-soft">
        Result
        <Select className="mt-1 block w-auto" value={refused} onChange={(event) => setRefused(event.target.value)}>
          <option value="">Any</option>
          <option value="no">Allowed</option>
          <option value="yes">Refused</option>
        </Select>
      </label>
      <label className="text-soft">
        Since
        <Input
          className="mt-1 block w-auto"
          type="date"
          value={since}
          onChange={(event) => setSince(event.target.value)}
        />
      </label>
    </div>
  );
}

interface TextFilterProps {
  readonly label: string;
  /** Query parameter. */
  readonly param: string;
  readonly placeholder?: string;
}

/** Applied on Enter or blur, because the server compares whole names. */
function TextFilter({ label, param, placeholder }: TextFilterProps) {
  const [value, onChange] = useSearchParam(param);
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(value);
  }
  const apply = () => text.trim() !== value && onChange(text.trim());
  return (
    <label className="text-soft">
      {label}
      <Input
        className="mt-1 block w-40"
        value={text}
        placeholder={placeholder}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === "Enter" && apply()}
      />
    </label>
  );
}

interface EntryRowProps {
  readonly entry: AuditEntry;
  /** Names of runs, by ID. */
  readonly names: Readonly<Record<string, string>>;
}

function EntryRow({ entry, names }: EntryRowProps) {
  const run = Object.entries(names).find(([id]) => entry.path.includes(id) || entry.target?.includes(id) === true);
  return (
    <tr>
      <td className="whitespace-nowrap tabular-nums">{formatDateTime(entry.time)}</td>
      <td data-label="User">
        {entry.principal}
        {entry.role !== null && <span className="ml-1.5 text-soft">{entry.role}</span>}
      </td>
      <td data-label="Action">
        <span className="font-medium">{entry.action}</span>
        {entry.count > 1 && <span className="ml-1.5 text-soft">×{entry.count}</span>}
        {run === undefined ? (
          entry.target !== null && <span className="block text-soft wrap-anywhere">{entry.target}</span>
        ) : (
          <Link className="link block wrap-anywhere" to={`/run/${run[0]}`}>
            {run[1]}
          </Link>
        )}
      </td>
      <td data-label="Target" className="code wrap-anywhere">
        {entry.method} {entry.path}
      </td>
      <td data-label="Result" className={entry.code === null ? "" : "text-failed"}>
        {entry.code === null ? (entry.status ?? "–") : `${entry.status ?? ""} ${entry.code}`}
      </td>
      <td data-label="Client" className="whitespace-nowrap">
        {entry.client === "" ? "–" : entry.client}
      </td>
    </tr>
  );
}
