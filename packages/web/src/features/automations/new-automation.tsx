import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { useMutation } from "@tanstack/react-query";
import { AUTOMATION_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import type { CreateAutomation } from "@weft/shared/records/automation-record.ts";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/route-query.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { AutomationFields } from "./automation-fields.tsx";
import { PlanView } from "./automation-texts.tsx";

/** The settings of a new automation, with a dry run. */
export default function NewAutomation({ onClose }: { readonly onClose: () => void }) {
  const [problem, setProblem] = useState("");
  const plan = useMutation({ mutationFn: (body: CreateAutomation) => api("POST /api/automation-plans", { body }) });
  const create = (body: CreateAutomation) => api("POST /api/automations", { body });
  const save = useChange(AUTOMATION_ROUTES, create, onClose);
  const submit = (form: FormData): void => {
    const { body, wrong } = readBody(form);
    setProblem(wrong);
    save.reset();
    plan.reset();
    if (body !== undefined) (form.has("plan") ? plan : save).mutate(body);
  };
  return (
    <FormDialog
      title="New automation"
      submitLabel="Create"
      pendingLabel="Creating…"
      isPending={save.isPending}
      refusal={problem || (save.error ?? plan.error)}
      otherButtons={
        <Button type="submit" name="plan" disabled={plan.isPending}>
          Try it without starting anything
        </Button>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <AutomationFields />
      {plan.data !== undefined && <PlanView plan={plan.data} />}
    </FormDialog>
  );
}

interface Read {
  readonly body: CreateAutomation | undefined;
  readonly wrong: string;
}

/** The browser and the server check all other fields. */
function readBody(form: FormData): Read {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const inputs = parseInputs(text("inputs"));
  if (inputs === undefined) return { body: undefined, wrong: "The other inputs must be a JSON object." };
  const destinations = parseDestinations(text("destinations"));
  if (destinations === undefined)
    return { body: undefined, wrong: '"Copy results to" must be a JSON object whose values are strings.' };
  const query = text("query");
  const body: CreateAutomation = {
    name: text("name"),
    network: text("network"),
    trigger: readTrigger(text),
    ...(query === "" ? {} : { dataset: { query_id: query } }),
    inputs,
    ...(Object.keys(destinations).length === 0 ? {} : { sink_data: destinations }),
    mode: text("mode") === "all" ? "all" : "new",
    settle_s: Number(text("settle") || 60),
    max_runs_per_day: Number(text("limit") || 24),
  };
  return { body, wrong: "" };
}

function readTrigger(text: (name: string) => string): CreateAutomation["trigger"] {
  if (text("trigger") === "schedule") return { kind: "schedule", cron: text("cron"), time_zone: text("zone") };
  if (text("trigger") === "run-ended") return { kind: "run-ended", network: text("after") };
  return { kind: "samples" };
}

function parseDestinations(text: string): Record<string, string> | undefined {
  const entries = Object.entries(parseInputs(text) ?? { "": undefined });
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return texts.length === entries.length ? Object.fromEntries(texts) : undefined;
}

function parseInputs(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseExactJson(text === "" ? "{}" : text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return value as Record<string, unknown>; // just checked
  } catch {
    return undefined;
  }
}
