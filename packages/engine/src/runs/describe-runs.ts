import { Refusal } from "@weft/shared/records/refusal.ts";
import type { DescribedRuns, DescribeRun, DescribeRuns } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { requireChangeableRun } from "../access/visible-runs.ts";
import type { Journal } from "../journal/journal.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/caller.ts";
import type { EngineRuns } from "../port/engine.ts";
import type { RouteMethods } from "../port/route-methods.ts";

/** Maximum number of tags that a run can have. */
const MAX_TAGS = 1000;

/** Names, notes, tags, pins and the archive. */
export function describeMethods(journal: Journal, { get }: Pick<EngineRuns, "get">): RouteMethods {
  return {
    "POST /api/runs/{run_id}/describe": async ({ caller, params: { run_id: runId }, body }) => {
      refuseUnended(requireChangeableRun(journal.read, runId, caller), body);
      await journal.append([described(caller, runId, body)]);
      return get(caller, runId);
    },
    "POST /api/runs/describe": ({ caller, body }) => describeRuns(caller, body, journal),
  };
}

/** Changes many runs in one transaction, and says which it could not change. */
async function describeRuns(
  caller: Caller,
  { run_ids: runIds, add_tags: addTags = {}, remove_tags: removeTags = [], ...flags }: DescribeRuns,
  journal: Journal,
): Promise<DescribedRuns> {
  const events: NewEvent[] = [];
  const refused: DescribedRuns["refused"] = [];
  for (const runId of new Set(runIds)) {
    const change = { ...flags };
    try {
      const row = requireChangeableRun(journal.read, runId, caller);
      refuseUnended(row, change);
      const tags = changeTags(row, { addTags, removeTags });
      events.push(described(caller, runId, tags === undefined ? change : { ...change, tags }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push({ run_id: runId, code: error.code, detail: error.message });
    }
  }
  if (events.length > 0) await journal.append(events);
  return { changed: events.length, refused };
}

function refuseUnended({ runId, state }: RunRow, { archived }: Pick<DescribeRun, "archived">): void {
  if (archived !== true || isFinal(state)) return;
  throw new Refusal("conflict", `The run ${runId} is ${state}; only finished runs can be archived.`);
}

interface TagChange {
  readonly addTags: Readonly<Record<string, string>>;
  readonly removeTags: readonly string[];
}

/** Undefined if nothing is to change. */
function changeTags({ runId, tags }: RunRow, { addTags, removeTags }: TagChange): Record<string, string> | undefined {
  if (Object.keys(addTags).length === 0 && removeTags.length === 0) return undefined;
  const left = new Map(Object.entries(tags));
  for (const tag of removeTags) left.delete(tag);
  for (const [tag, value] of Object.entries(addTags)) left.set(tag, value);
  if (left.size > MAX_TAGS) throw new Refusal("conflict", `The run ${runId} would have more than ${MAX_TAGS} tags.`);
  return Object.fromEntries(left);
}

function described({ principal }: Caller, runId: string, data: DescribeRun): NewEvent {
  return { type: "run.described", run_id: runId, actor: principal, data };
}
