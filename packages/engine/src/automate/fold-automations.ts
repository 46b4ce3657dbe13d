import type { EventOf, LogFeature } from "../journal/log-feature.ts";
import type { Projection } from "../journal/project-job.ts";
import { namedStatement, type Statements } from "../journal/statements.ts";

const TABLES = `
CREATE TABLE automations (
  automation_id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  settings TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  credential TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE automation_keys (
  automation_id TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (automation_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE automation_history (
  automation_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  run_id TEXT,
  samples INTEGER NOT NULL,
  detail TEXT NOT NULL,
  actor TEXT NOT NULL,
  PRIMARY KEY (automation_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE automation_occasions (
  automation_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  PRIMARY KEY (automation_id, seq)
) STRICT, WITHOUT ROWID;
`;

/**
 * `automation_keys`: the samples, times and runs for which automations have started runs, so that the log accepts each
 * key once. `automation_history`: events by sequence number. `automation_occasions`: successful runs after which
 * automations have yet to act, by the sequence number of their end, not by its time, because the clock may be set.
 * `credential`: the token with which the automation was made; null if it is unknown, or if the caller had no token.
 */
export const AUTOMATIONS: LogFeature = {
  tables: TABLES,
  folds: {
    "automation.created": createAutomation,
    "automation.removed": changeAutomation,
    "automation.failed": changeAutomation,
    "automation.changed": changeAutomation,
    "run.created": noteStart,
    "run.ended": noteOccasion,
  },
  mayStart,
};

const CREATE = namedStatement(
  `INSERT INTO automations (automation_id, owner, settings, state, reason, created_ms, credential)
   VALUES (:id, :owner, :settings, 'active', '', :now_ms, :credential)`,
);

function createAutomation({ data, actor }: EventOf<"automation.created">, into: Projection): void {
  const { automation_id: id, owner, settings, credential = null } = data;
  into.sql.write(CREATE, { id, owner, settings: JSON.stringify(settings), now_ms: into.nowMs, credential });
  note({ id, kind: "created", detail: "", actor }, into);
}

/** False for an event about an automation that no longer exists, or that changes nothing. */
function changeAutomation(
  event: EventOf<"automation.removed" | "automation.failed" | "automation.changed">,
  into: Projection,
): boolean {
  const { sql, features } = into;
  const { automation_id: id, owner } = event.data;
  const before = stateOf(id, into);
  if (before === undefined) return false;
  if (event.type === "automation.removed") {
    for (const table of ["automations", "automation_keys", "automation_history", "automation_occasions"])
      sql.run(`DELETE FROM ${table} WHERE automation_id = ?`, id);
    return true;
  }
  if (event.type === "automation.failed") {
    note({ id, kind: "failed", detail: event.data.detail, actor: event.actor }, into);
    return true;
  }
  const { state, reason } = event.data;
  if (before === state) return false;
  if (state === "stopped")
    features.announce({ trigger: "automation-stopped", owner, automationId: id, network: networkOf(id, into) }, into);
  sql.run("UPDATE automations SET state = ?, reason = ? WHERE automation_id = ?", state, reason, id);
  note({ id, kind: state, detail: reason, actor: event.actor }, into);
  return true;
}

type Created = EventOf<"run.created">;

/** False if the automation is not active or has already used one of these keys; the log must then refuse the run. */
function mayStart({ data: { automation } }: Created, sql: Statements): boolean {
  if (automation === undefined) return true;
  const { automation_id: id, keys } = automation;
  const known = "SELECT 1 FROM automation_keys WHERE automation_id = ? AND key = ?";
  return stateOf(id, { sql }) === "active" && !keys.some((key) => sql.get(known, id, key) !== undefined);
}

function noteStart(event: Created, into: Projection): void {
  const { automation } = event.data;
  if (automation === undefined) return;
  const { automation_id: id, keys } = automation;
  const { sql } = into;
  for (const key of keys) sql.run("INSERT INTO automation_keys (automation_id, key) VALUES (?, ?)", id, key);
  const used = "DELETE FROM automation_occasions WHERE automation_id = ? AND ? = 'run ' || run_id";
  for (const key of keys) if (key.startsWith("run ")) sql.run(used, id, key);
  note({ id, kind: "started", detail: "", actor: event.actor, run_id: event.run_id, samples: samplesOf(keys) }, into);
}

/** Records that a run of a network succeeded. Ignores an imported run, which ended elsewhere. */
function noteOccasion({ run_id: runId, data }: EventOf<"run.ended">, { sql, seq }: Projection): void {
  if (seq === undefined || data.outcome !== "success") return;
  sql.run(
    `INSERT INTO automation_occasions (automation_id, seq, run_id) SELECT automation_id, ?, run_id FROM automations
       JOIN runs ON run_id = ? AND kind = 'network' AND process_id = settings ->> '$.trigger.network'
       WHERE settings ->> '$.trigger.kind' = 'run-ended'`,
    seq,
    runId,
  );
}

/** Number of keys that are samples; others name a time or a run. */
function samplesOf(keys: readonly string[]): number {
  return keys.filter((key) => !/^(?:time|run) /.test(key)).length;
}

function stateOf(id: string, { sql }: Pick<Projection, "sql">): string | undefined {
  const row = sql.get("SELECT state FROM automations WHERE automation_id = ?", id);
  return row === undefined ? undefined : String(row["state"]);
}

function networkOf(id: string, { sql }: Projection): string | undefined {
  const row = sql.get("SELECT settings ->> '$.network' AS network FROM automations WHERE automation_id = ?", id);
  return row === undefined ? undefined : String(row["network"]);
}

const NOTE = namedStatement(
  `INSERT INTO automation_history (automation_id, seq, time_ms, kind, run_id, samples, detail, actor)
   VALUES (:id, :seq, :now_ms, :kind, :run_id, :samples, :detail, :actor)`,
);

interface Note {
  readonly id: string;
  readonly kind: string;
  readonly detail: string;
  readonly actor: string;
  readonly run_id?: string;
  readonly samples?: number;
}

function note(noted: Note, { sql, nowMs, seq = 0 }: Projection): void {
  sql.write(NOTE, { run_id: null, samples: 0, ...noted, seq, now_ms: nowMs });
}
