import type { DatabaseSync } from "node:sqlite";
import { Violation } from "../violation.ts";

/**
 * The runs of automations that follow others, after it was checked that each success of a network is followed once, if it
 * came after the automation in the log.
 */
export function followersIn(database: DatabaseSync): readonly string[] {
  const followers = database.prepare(FOLLOWERS).all();
  const followed = Map.groupBy(followers, ({ automation, key }) => `${String(automation)} ${String(key)}`);
  for (const [key, { length }] of followed)
    if (length > 1) throw new Violation("each run is followed once", `${key}: ${length} times`);
  for (const { automation, run_id: runId } of database.prepare(OWED).all())
    if (!followed.delete(`${String(automation)} run ${String(runId)}`))
      throw new Violation("each run is followed once", `${String(runId)} is not followed`);
  const [early] = followed.keys();
  if (early !== undefined) throw new Violation("each run is followed once", `${early} is followed without a reason`);
  return followers.map((row) => String(row["run_id"]));
}

const AUTOMATIONS = `SELECT seq, data ->> '$.automation_id' AS automation, data ->> '$.settings.trigger.network' AS network
  FROM events WHERE type = 'automation.created' AND data ->> '$.settings.trigger.kind' = 'run-ended'`;

const FOLLOWERS = `SELECT events.run_id, automation, data ->> '$.automation.keys[0]' AS key FROM events
  JOIN (${AUTOMATIONS}) ON data ->> '$.automation.automation_id' = automation WHERE type = 'run.created'`;

const OWED = `SELECT automation, events.run_id FROM events JOIN runs USING (run_id)
  JOIN (${AUTOMATIONS}) AS following ON process_id = network AND events.seq > following.seq
  WHERE type = 'run.ended' AND data ->> '$.outcome' = 'success'`;
