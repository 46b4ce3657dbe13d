import { RowReader } from "./row-reader.ts";
import { toJobRow } from "./rows.ts";
import type { JobRow } from "./rows.ts";
import type { Row, Statements } from "./statements.ts";

/**
 * Reads rows of jobs. The row of an ended job leaves out two long parts of its start event: its command, and why
 * no earlier result was reused.
 */
export function jobRowReader(sql: Statements): (row: Row) => JobRow {
  return (row) => {
    const job = toJobRow(row);
    const seq = row["started_seq"] ?? null;
    if (seq === null || (row["command"] !== null && row["cache"] !== null)) return job;
    const columns = new RowReader(sql.get("SELECT data FROM events WHERE seq = ?", Number(seq)) ?? { data: "" });
    const { command = null, cache = null } = columns.json<Partial<Pick<JobRow, "command" | "cache">>>("data", {});
    return {
      ...job,
      command: row["command"] === null ? command : job.command,
      cache: row["cache"] === null ? cache : job.cache,
      damaged: columns.damaged.length > 0 ? [...job.damaged, "command"] : job.damaged,
    };
  };
}
