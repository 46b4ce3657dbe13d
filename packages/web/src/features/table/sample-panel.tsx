import { useQuery } from "@tanstack/react-query";
import type { TableRow } from "@weft/shared/records/table-record.ts";
import { Link } from "react-router-dom";
import { jobListQuery } from "../../api/queries/job-queries.ts";
import { resultsQuery } from "../../api/queries/result-queries.ts";
import type { WholeTable } from "../../api/queries/table-queries.ts";
import { FileLink } from "../../components/file-link.tsx";
import { JobBadge } from "../../components/badges.tsx";
import { links } from "../../format/links.ts";
import { isFileValue } from "../../format/value-text.ts";
import { SidePanel } from "../../ui/modal.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Facts } from "../../ui/titled-section.tsx";
import { valueText } from "./arrange-table.ts";
import { rowName } from "./pair-runs.ts";

interface SamplePanelProps {
  readonly table: WholeTable;
  readonly sample: string;
  readonly onClose: () => void;
}

const JOBS = 50;

/** A sample: its values, files and jobs, in each run. */
export function SamplePanel({ table, sample, onClose }: SamplePanelProps) {
  const rows = table.rows.filter((row) => rowName(row) === sample);
  return (
    <SidePanel title={sample} onClose={onClose}>
      <div className="space-y-6">
        {rows.length === 0 && <p className="text-soft">The table has no such sample.</p>}
        {rows.map((row) => (
          <SampleInRun key={`${row.run_id} ${row.index ?? ""}`} table={table} row={row} />
        ))}
      </div>
    </SidePanel>
  );
}

function SampleInRun({ table, row }: { readonly table: WholeTable; readonly row: TableRow }) {
  const name = table.runs.find(({ run_id }) => run_id === row.run_id)?.name ?? row.run_id;
  return (
    <section aria-label={name} className="space-y-4">
      {table.runs.length > 1 && (
        <h3 className="wrap-anywhere">
          <Link className="link" to={links.run(row.run_id, { tab: "table" })}>
            {name}
          </Link>
        </h3>
      )}
      <Facts
        facts={table.columns.map(({ label }, at) => [label, <Value key={label} value={row.values[at] ?? null} />])}
      />
      <SampleFiles row={row} />
      {row.sample_id !== null && <SampleJobs runId={row.run_id} sample={row.sample_id} />}
    </section>
  );
}

function Value({ value }: { readonly value: TableRow["values"][number] }) {
  return <span title={String(value ?? "")}>{valueText(value) || "–"}</span>;
}

function SampleFiles({ row }: { readonly row: TableRow }) {
  const results = useQuery(resultsQuery(row.run_id, { text: rowName(row), page: 0 }));
  return (
    <section aria-label="Files">
      <h3 className="mb-1">Files</h3>
      <QueryView query={results} rows={2}>
        {({ rows }) => {
          const found = rows.find(({ sample_id, index }) => rowName({ sample_id, index }) === rowName(row));
          const files =
            found?.cells.flatMap(({ output, value }) => (isFileValue(value) ? [{ output, value }] : [])) ?? [];
          if (files.length === 0) return <p className="text-soft">No files.</p>;
          return (
            <>
              <Facts facts={files.map(({ output, value }) => [output, <FileLink key={output} file={value} />])} />
              <Link className="link mt-2 inline-block" to={links.run(row.run_id, { tab: "outputs", q: rowName(row) })}>
                View results
              </Link>
            </>
          );
        }}
      </QueryView>
    </section>
  );
}

function SampleJobs({ runId, sample }: { readonly runId: string; readonly sample: string }) {
  const jobs = useQuery(jobListQuery(runId, { sample, page_size: JOBS }));
  return (
    <section aria-label="Jobs">
      <h3 className="mb-1">Jobs</h3>
      <QueryView query={jobs} rows={3}>
        {(page) => (
          <ul className="space-y-1">
            {page.jobs.map((job) => (
              <li key={job.job_id} className="flex items-center gap-3">
                <Link className="link wrap-anywhere" to={links.run(runId, { tab: "jobs", job: job.job_id })}>
                  {job.job_id}
                </Link>
                <JobBadge job={job} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}
