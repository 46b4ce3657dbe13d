import { readFile } from "node:fs/promises";
import { errorText } from "@weft/engine/error-text.ts";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { AutomationPlan, CreateAutomation } from "@weft/shared/records/automation-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { UsageError } from "../exit/exit.ts";
import { tabbedLine } from "../output/result-text.ts";
import { asking } from "../server/server-client.ts";
import type { Settings } from "../settings/read-settings.ts";

export const listAutomations = asking(
  (client) => client("GET /api/automations", {}),
  ({ automations }) =>
    automations
      .map(({ automation_id: id, state, network, trigger, runs_started: runs, name, reason }) =>
        tabbedLine([id, state, network, trigger.kind, countText(runs, "run"), name, reason]),
      )
      .join(""),
);

/** Creates an automation from a file, or only shows the runs that it would start now. */
export const addAutomation = asking(
  async (client, settings) => {
    const body = await readAutomation(settings.positionals[0] ?? "", settings);
    return settings.isOn("dry-run")
      ? client("POST /api/automation-plans", { body })
      : client("POST /api/automations", { body });
  },
  (answer) => ("automation_id" in answer ? `${answer.automation_id}\n` : planText(answer)),
);

export const planAutomation = asking(
  (client, settings) => client("GET /api/automations/{automation_id}/plan", { params: idOf(settings) }),
  planText,
);

export const automationHistory = asking(
  (client, settings) => client("GET /api/automations/{automation_id}/history", { params: idOf(settings) }),
  ({ history }) =>
    history
      .map(({ at, kind, run_id: run, run_state: state, samples, detail }) =>
        tabbedLine([at, kind, run ?? "", state ?? "", countText(samples, "sample"), detail]),
      )
      .join(""),
);

export const pauseAutomation = changeBy("POST /api/automations/{automation_id}/pause");
export const resumeAutomation = changeBy("POST /api/automations/{automation_id}/resume");
export const removeAutomation = changeBy("DELETE /api/automations/{automation_id}");

function changeBy(
  route: `POST /api/automations/{automation_id}/${"pause" | "resume"}` | "DELETE /api/automations/{automation_id}",
) {
  return asking<unknown>((client, settings) => client(route, { params: idOf(settings) }));
}

function idOf({ positionals: [id = ""] }: Settings): { readonly automation_id: string } {
  return { automation_id: id };
}

async function readAutomation(path: string, { resolve }: Settings): Promise<CreateAutomation> {
  try {
    return parseExactJson(await readFile(resolve(path), "utf8")) as CreateAutomation; // the server checks it
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${errorText(error)}`);
  }
}

function planText({ would_start: count, blocked, samples, samples_total: total, next_at }: AutomationPlan): string {
  const lines = samples.map(({ name, verdict, detail }) => tabbedLine([verdict, name, detail]));
  const head = total === 0 ? `would start ${countText(count, "run")}` : `would start ${count} of ${total} samples`;
  const when = next_at === null ? "" : `; next at ${next_at}`;
  return `${head}${blocked === "" ? "" : `, but ${blocked}`}${when}\n${lines.join("")}`;
}
