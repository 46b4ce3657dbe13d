import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { readFile } from "node:fs/promises";
import type { AutomationPlan, CreateAutomation } from "@weft/shared/records/automation-record.ts";
import { createAutomationSchema } from "@weft/shared/records/automation-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { UsageError } from "../exit/usage-error.ts";
import { asJson, line, printResponse } from "../server/print-response.ts";
import type { Settings } from "../settings/read-settings.ts";
import { errorText } from "@weft/engine/error-text.ts";

export async function listAutomations(settings: Settings): Promise<number> {
  return printResponse(settings, async ({ client, headers }) => {
    const list = await client("GET /api/automations", { headers });
    if (settings.isOn("json")) return asJson(list);
    return list.automations
      .map(({ automation_id: id, state, network, trigger, runs_started: runs, name, reason }) =>
        line([id, state, network, trigger.kind, countText(runs, "run"), name, reason]),
      )
      .join("");
  });
}

/** Creates an automation from a file, or only shows the runs that it would start now. */
export async function addAutomation(settings: Settings): Promise<number> {
  const body = await readSettingsFile(settings.positionals[0] ?? "", settings);
  return printResponse(settings, async ({ client, headers }) => {
    if (settings.isOn("dry-run")) {
      const plan = await client("POST /api/automation-plans", { body, headers });
      return settings.isOn("json") ? asJson(plan) : planText(plan);
    }
    const created = await client("POST /api/automations", { body, headers });
    return settings.isOn("json") ? asJson(created) : `${created.automation_id}\n`;
  });
}

export async function planAutomation(settings: Settings): Promise<number> {
  return printResponse(settings, async ({ client, headers }) => {
    const plan = await client("GET /api/automations/{automation_id}/plan", { params: idOf(settings), headers });
    return settings.isOn("json") ? asJson(plan) : planText(plan);
  });
}

export async function automationHistory(settings: Settings): Promise<number> {
  return printResponse(settings, async ({ client, headers }) => {
    const params = idOf(settings);
    const list = await client("GET /api/automations/{automation_id}/history", { params, headers });
    if (settings.isOn("json")) return asJson(list);
    return list.history
      .map(({ at, kind, run_id: run, run_state: state, samples, detail }) =>
        line([at, kind, run ?? "", state ?? "", countText(samples, "sample"), detail]),
      )
      .join("");
  });
}

export const pauseAutomation = changeBy("POST /api/automations/{automation_id}/pause");
export const resumeAutomation = changeBy("POST /api/automations/{automation_id}/resume");
export const removeAutomation = changeBy("DELETE /api/automations/{automation_id}");

function changeBy(
  route: `POST /api/automations/{automation_id}/${"pause" | "resume"}` | "DELETE /api/automations/{automation_id}",
) {
  return (settings: Settings): Promise<number> =>
    printResponse(settings, async ({ client, headers }) => {
      await client(route, { params: idOf(settings), headers });
      return "";
    });
}

function idOf(settings: Settings): { readonly automation_id: string } {
  return { automation_id: settings.positionals[0] ?? "" };
}

async function readSettingsFile(path: string, { resolve }: Settings): Promise<CreateAutomation> {
  const text = await readFile(resolve(path), "utf8").catch((error: Error) => {
    throw new UsageError(errorText(error));
  });
  try {
    return createAutomationSchema.parse(parseExactJson(text));
  } catch (error) {
    throw new UsageError(
      `${path} does not describe an automation: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function planText({
  would_start: count,
  blocked,
  samples,
  samples_total: total,
  next_at: next,
}: AutomationPlan): string {
  const lines = samples.map(({ name, verdict, detail }) => line([verdict, name, detail]));
  const head = total === 0 ? `would start ${countText(count, "run")}` : `would start ${count} of ${total} samples`;
  const when = next === null ? "" : `; next at ${next}`;
  return `${head}${blocked === "" ? "" : `, but ${blocked}`}${when}\n${lines.join("")}`;
}
