import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { AuditEntry } from "@weft/shared/records/audit-record.ts";
import { Link } from "react-router-dom";
import { routeQuery } from "../../api/route-query.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { actionText } from "../../format/sentence.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { Input, Select, Field } from "../../ui/field.tsx";
import { dayRange } from "../../components/day-range.ts";
import { TextFilter } from "../../ui/search-field.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";

/** An entry with the run that it is about, if that still exists. */
interface Row extends AuditEntry {
  readonly run: readonly [id: string, name: string] | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    label: "Time",
    bare: true,
    className: "whitespace-nowrap tabular-nums",
    render: ({ time }) => formatDateTime(time),
  },
  {
    label: "User",
    render: ({ principal, role }) => (
      <>
        {principal}
        {role !== null && <span className="ml-1.5 text-soft">{role}</span>}
      </>
    ),
  },
  { label: "Action", render: (row) => <Action row={row} /> },
  { label: "Target", className: "code wrap-anywhere", render: ({ method, path }) => `${method} ${path}` },
  {
    label: "Result",
    className: ({ code }) => (code === null ? "" : "text-failed"),
    render: ({ code, status }) => (code === null ? (status ?? "–") : `${status ?? ""} ${code}`),
  },
  { label: "Client", className: "whitespace-nowrap", render: ({ client }) => client || "–" },
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
            <DataTable
              caption="Audit log, newest first"
              columns={COLUMNS}
              rows={entries.map((entry) => ({ ...entry, run: runOf(entry, names) }))}
              keyOf={({ seq }) => seq}
              empty={next_page_token === "" ? "No entries match." : "No entries match on this page."}
            />
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
      <TextFilter label="User" name="principal" className="w-40" />
      <TextFilter label="Action" name="action" className="w-40" placeholder="Create run" />
      <Field label="Result" isSmall>
        <Select<string>
          className="w-auto"
          value={refused}
          none="Any"
          options={[
            { id: "no", label: "Allowed" },
            { id: "yes", label: "Refused" },
          ]}
          onChoose={setRefused}
        />
      </Field>
      <Field label="Since" isSmall>
        <Input className="w-auto" type="date" value={since} onType={setSince} />
      </Field>
    </div>
  );
}

function runOf({ path, target }: AuditEntry, names: Readonly<Record<string, string>>): Row["run"] {
  return Object.entries(names).find(([id]) => path.includes(id) || target?.includes(id) === true);
}

function Action({ row: { action, count, target, run } }: { readonly row: Row }) {
  return (
    <>
      <Link
        className="font-medium hover:underline"
        to={`?tab=audit&action=${encodeURIComponent(action)}`}
        title={action}
      >
        {actionText(action)}
      </Link>
      {count > 1 && <span className="ml-1.5 text-soft">×{count}</span>}
      {run === undefined ? (
        target !== null && <span className="block text-soft wrap-anywhere">{target}</span>
      ) : (
        <Link className="link block wrap-anywhere" to={`/run/${run[0]}`}>
          {run[1]}
        </Link>
      )}
    </>
  );
}
