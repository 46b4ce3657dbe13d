import type { NewEvent } from "./journal-event.ts";
import type { Projection } from "./project-job.ts";
import { queueDeliveries } from "./project-notifications.ts";
import type { Statements } from "./statements.ts";

/**
 * `automation_keys`: what automations have started, so that the log accepts each key once. `automation_history`: what
 * happened, by the number of the event. `automation_occasions`: successful runs after which automations should act and
 * have not acted yet, by the number of the event. The log decides which runs an automation has seen ending: a clock may
 * be set. `credential`: the token with which it was made; null: not known, or another proof.
 */
export const AUTOMATION_TABLES = `
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

type Into = Pick<Projection, "sql" | "nowMs" | "seq">;
type AutomationEvent = Extract<NewEvent, { readonly type: `automation.${string}` }>;

/** False for an event about an automation that no longer exists, or that changes nothing. */
export function projectAutomation(event: AutomationEvent, into: Into): boolean {
  const { sql, nowMs } = into;
  const { automation_id: id } = event.data;
  if (event.type === "automation.created") {
    const { owner, settings, credential = null } = event.data;
    sql.run(
      "INSERT INTO automations (automation_id, owner, settings, state, reason, created_ms, credential) VALUES (?, ?, ?, 'active', '', ?, ?)",
      id,
      owner,
      JSON.stringify(settings),
      nowMs,
      credential,
    );
    note({ id, kind: "created", detail: "", actor: event.actor }, into);
    return true;
  }
  if (stateOf(id, into) === undefined) return false;
  if (event.type === "automation.removed") {
    for (const table of ["automations", "automation_keys", "automation_history", "automation_occasions"])
      sql.run(`DELETE FROM ${table} WHERE automation_id = ?`, id);
    return true;
  }
  if (event.type === "automation.failed") {
    note({ id, kind: "failed", detail: event.data.detail, actor: event.actor }, into);
    return true;
  }
  const { state, reason, owner } = event.data;
  if (stateOf(id, into) === state) return false;
  if (state === "stopped")
    queueDeliveries({ trigger: "automation-stopped", owner, automationId: id, network: networkOf(id, into) }, into);
  sql.run("UPDATE automations SET state = ?, reason = ? WHERE automation_id = ?", state, reason, id);
  note({ id, kind: state, detail: reason, actor: event.actor }, into);
  return true;
}

type Created = Extract<NewEvent, { type: "run.created" }>;

/** False if the automation is not active, or has started one of these before: then the run must not exist. */
export function mayStart({ data: { automation } }: Created, sql: Statements): boolean {
  if (automation === undefined) return true;
  const { automation_id: id, keys } = automation;
  const known = "SELECT 1 FROM automation_keys WHERE automation_id = ? AND key = ?";
  return stateOf(id, { sql }) === "active" && !keys.some((key) => sql.get(known, id, key) !== undefined);
}

export function noteStart(event: Created, into: Into): void {
  const { automation } = event.data;
  if (automation === undefined) return;
  const { automation_id: id, keys } = automation;
  const { sql } = into;
  for (const key of keys) sql.run("INSERT INTO automation_keys (automation_id, key) VALUES (?, ?)", id, key);
  const used = "DELETE FROM automation_occasions WHERE automation_id = ? AND ? = 'run ' || run_id";
  for (const key of keys) if (key.startsWith("run ")) sql.run(used, id, key);
  note({ id, kind: "started", detail: "", actor: event.actor, runId: event.run_id, samples: samplesOf(keys) }, into);
}

/** A run of this network has succeeded. Not for an imported run, which ended elsewhere. */
export function noteOccasion(runId: string, network: string, { sql, seq }: Into): void {
  if (seq === undefined) return;
  sql.run(
    `INSERT INTO automation_occasions (automation_id, seq, run_id) SELECT automation_id, ?, ? FROM automations
       WHERE settings ->> '$.trigger.kind' = 'run-ended' AND settings ->> '$.trigger.network' = ?`,
    seq,
    runId,
    network,
  );
}

/** Number of keys that are samples; others name a time or a run. */
function samplesOf(keys: readonly string[]): number {
  return keys.filter((key) => !/^(?:time|run) /.test(key)).length;
}

function stateOf(id: string, { sql }: Pick<Into, "sql">): string | undefined {
  const row = sql.get("SELECT state FROM automations WHERE automation_id = ?", id);
  return row === undefined ? undefined : String(row["state"]);
}

function networkOf(id: string, { sql }: Into): string | undefined {
  const row = sql.get("SELECT settings ->> '$.network' AS network FROM automations WHERE automation_id = ?", id);
  return row === undefined ? undefined : String(row["network"]);
}

interface Note {
  readonly id: string;
  readonly kind: string;
  readonly detail: string;
  readonly actor: string;
  readonly runId?: string;
  readonly samples?: number;
}

function note({ id, kind, detail, actor, runId, samples = 0 }: Note, { sql, nowMs, seq = 0 }: Into): void {
  sql.run(
    `INSERT INTO automation_history (automation_id, seq, time_ms, kind, run_id, samples, detail, actor)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    seq,
    nowMs,
    kind,
    runId ?? null,
    samples,
    detail,
    actor,
  );
}
