import type { DatasetQuery, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { RowReader } from "./row-reader.ts";
import type { Row, Statements } from "./statements.ts";

/** What a query is worth whose text is damaged. */
const NOTHING: DatasetQuery = { location: "weft-data://", per: ["path"], columns: [] };

function toSavedQuery(row: Row): SavedDatasetQuery {
  const columns = new RowReader(row);
  return {
    query_id: columns.text("query_id"),
    name: columns.text("name"),
    network: columns.text("network"),
    query: columns.json<DatasetQuery>("query", NOTHING),
    revision: columns.number("revision"),
    updated_at: new Date(columns.number("updated_ms")).toISOString(),
    updated_by: columns.text("updated_by"),
  };
}

export function readQueries(sql: Statements) {
  return {
    /** By network and name. */
    savedQueries(network?: string): SavedDatasetQuery[] {
      return sql
        .all("SELECT * FROM queries WHERE network = coalesce(?, network) ORDER BY network, name", network ?? null)
        .map(toSavedQuery);
    },

    savedQuery(queryId: string): SavedDatasetQuery | undefined {
      const row = sql.get("SELECT * FROM queries WHERE query_id = ?", queryId);
      return row === undefined ? undefined : toSavedQuery(row);
    },
  };
}
