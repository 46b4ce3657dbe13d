import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { AutomationState, HistoryKind } from "@weft/shared/records/automation-names.ts";
import type { AutomationSettings } from "@weft/shared/records/automation-record.ts";
import { RowReader } from "../journal/row-reader.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { Row } from "../journal/statements.ts";

// The casts are safe because only this folder writes these tables, from values of these types.

function toAutomationRow(row: Row) {
  const columns = new RowReader(row);
  return {
    automationId: columns.text("automation_id"),
    owner: columns.text("owner"),
    settings: parseExactJson(columns.text("settings")) as AutomationSettings,
    state: columns.text("state") as AutomationState,
    reason: columns.text("reason"),
    createdMs: columns.number("created_ms"),
    credential: columns.textOrNull("credential"),
  };
}

export type AutomationRow = Readonly<ReturnType<typeof toAutomationRow>>;

function toHistoryRow(row: Row) {
  const columns = new RowReader(row);
  return {
    timeMs: columns.number("time_ms"),
    kind: columns.text("kind") as HistoryKind,
    runId: columns.textOrNull("run_id"),
    samples: columns.number("samples"),
    detail: columns.text("detail"),
    actor: columns.text("actor"),
  };
}

export type HistoryRow = Readonly<ReturnType<typeof toHistoryRow>>;

export function readAutomations({ sql }: Pick<LogReader, "sql">) {
  return {
    /** Newest first; with an owner, only theirs. */
    automations(owner?: string): readonly AutomationRow[] {
      return sql
        .all("SELECT * FROM automations WHERE ?1 IS NULL OR owner = ?1 ORDER BY created_ms DESC", owner ?? null)
        .map(toAutomationRow);
    },

    automation(automationId: string): AutomationRow | undefined {
      const row = sql.get("SELECT * FROM automations WHERE automation_id = ?", automationId);
      return row === undefined ? undefined : toAutomationRow(row);
    },

    hasAutomationKey(automationId: string, key: string): boolean {
      const known = "SELECT 1 FROM automation_keys WHERE automation_id = ? AND key = ?";
      return sql.get(known, automationId, key) !== undefined;
    },

    /** Newest first. */
    automationHistory(automationId: string, limit: number): readonly HistoryRow[] {
      return sql
        .all("SELECT * FROM automation_history WHERE automation_id = ? ORDER BY seq DESC LIMIT ?", automationId, limit)
        .map(toHistoryRow);
    },

    /** Runs started after `sinceMs`, and the samples of all of them. */
    automationCounts(automationId: string, sinceMs: number): { readonly runs: number; readonly samples: number } {
      const row = sql.get(
        `SELECT count(*) AS runs, coalesce(sum(samples), 0) AS samples FROM automation_history
           WHERE automation_id = ? AND kind = 'started' AND time_ms > ?`,
        automationId,
        sinceMs,
      );
      return { runs: Number(row?.["runs"] ?? 0), samples: Number(row?.["samples"] ?? 0) };
    },

    /** When the automation last started a run; null: never. */
    lastAutomationStart(automationId: string): number | null {
      const last = "SELECT max(time_ms) AS ms FROM automation_history WHERE automation_id = ? AND kind = 'started'";
      const ms = sql.get(last, automationId)?.["ms"];
      return typeof ms === "number" ? ms : null;
    },

    /**
     * The first run after which an automation should act but has not acted yet, among the runs whose end has a sequence
     * number above `afterSeq`; with an owner, only their runs.
     */
    nextOccasion(automationId: string, afterSeq: number, owner?: string): string | undefined {
      const row = sql.get(
        `SELECT occasion.run_id FROM automation_occasions AS occasion JOIN runs USING (run_id)
           WHERE automation_id = ?1 AND seq > ?2 AND (?3 IS NULL OR owner = ?3) ORDER BY seq LIMIT 1`,
        automationId,
        afterSeq,
        owner ?? null,
      );
      return row === undefined ? undefined : String(row["run_id"]);
    },
  };
}
