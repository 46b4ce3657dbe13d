import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { useMutation } from "@tanstack/react-query";
import { AUTOMATION_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import type { CreateAutomation } from "@weft/shared/records/automation-record.ts";
import { useRef, useState, type FormEvent } from "react";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/route-query.ts";
import { Button } from "../../ui/button.tsx";
import { Modal } from "../../ui/modal.tsx";
import { AutomationFields } from "./automation-fields.tsx";
import { PlanView } from "./automation-texts.tsx";

/** The settings of a new automation, with a dry run. */
export default function NewAutomation({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal title="New automation" onClose={onClose} isForm>
      <AutomationForm onClose={onClose} />
    </Modal>
  );
}

function AutomationForm({ onClose }: { readonly onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState("");
  const plan = useMutation({ mutationFn: (body: CreateAutomation) => api("POST /api/automation-plans", { body }) });
  const create = (body: CreateAutomation) => api("POST /api/automations", { body });
  const save = useChange(AUTOMATION_ROUTES, create, onClose);
  const read = (act: (body: CreateAutomation) => void): void => {
    if (form.current === null || !form.current.reportValidity()) return;
    const { body, wrong } = readBody(new FormData(form.current));
    setProblem(wrong);
    save.reset();
    plan.reset();
    if (body !== undefined) act(body);
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    read(save.mutate);
  };
  const failure = problem || (save.error ?? plan.error)?.message;
  return (
    <form ref={form} className="space-y-4" onSubmit={submit}>
      <AutomationFields />
      {plan.data !== undefined && <PlanView plan={plan.data} />}
      <Failure text={failure ?? ""} />
      <Buttons isSaving={save.isPending} isPlanning={plan.isPending} onPlan={() => read(plan.mutate)} />
    </form>
  );
}

function Failure({ text }: { readonly text: string }) {
  if (text === "") return null;
  return (
    <p role="alert" className="text-failed wrap-anywhere">
      {text}
    </p>
  );
}

interface ButtonsProps {
  readonly isSaving: boolean;
  readonly isPlanning: boolean;
  readonly onPlan: () => void;
}

function Buttons({ isSaving, isPlanning, onPlan }: ButtonsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="primary" type="submit" disabled={isSaving}>
        {isSaving ? "Creating…" : "Create"}
      </Button>
      <Button disabled={isPlanning} onClick={onPlan}>
        Try it without starting anything
      </Button>
    </div>
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
