import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { AUTOMATION_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import type { CreateAutomation } from "@weft/shared/records/automation-record.ts";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { routeQuery, useChange } from "../../api/route-query.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { PlanView } from "./automation-texts.tsx";
import { Link } from "react-router-dom";
import { networkListQuery, networkQuery } from "../../api/catalog-queries.ts";
import { serverQuery } from "../../api/session-query.ts";
import { Field, Input, Radio, Select, TextArea } from "../../ui/field.tsx";

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

const TRIGGERS = [
  { id: "samples", label: "there are new samples" },
  { id: "schedule", label: "at these times" },
  { id: "run-ended", label: "a run of another network has succeeded" },
] as const;
type TriggerId = (typeof TRIGGERS)[number]["id"];

/** The settings of an automation, as fields of a form. */
function AutomationFields() {
  const { data } = useQuery(networkListQuery(""));
  const networks = data?.networks.map(({ id }) => ({ id, label: id })) ?? [];
  const [network, setNetwork] = useState("");
  const [trigger, setTrigger] = useState<TriggerId>("samples");
  return (
    <>
      <Field label="Name">
        <Input name="name" maxLength={100} required autoComplete="off" />
      </Field>
      <Field label="Run the network">
        <Select name="network" required value={network} none="Choose…" options={networks} onChoose={setNetwork} />
      </Field>
      <TriggerField trigger={trigger} onChange={setTrigger} />
      {trigger === "schedule" && <ScheduleFields />}
      {trigger === "run-ended" && (
        <Field label="After runs of">
          <Select name="after" required options={networks} />
        </Field>
      )}
      <QueryField network={network} isRequired={trigger === "samples"} />
      <InputsField key={network} network={network} />
      <DestinationField />
      <LimitFields />
    </>
  );
}

/** The placeholder is an input of the network that is not a file: files come from the samples. */
function InputsField({ network }: { readonly network: string }) {
  const { data } = useQuery({ ...networkQuery(network, undefined), enabled: network !== "" });
  const [values] = data?.examples.map(({ inputs }) => inputs) ?? [];
  const example = Object.entries(values ?? {}).find(([, value]) => typeof value !== "object");
  return (
    <Field label="Other inputs" hint="A JSON object. Leave empty for none.">
      <TextArea
        className="code min-h-16"
        name="inputs"
        placeholder={example && `{ "${example[0]}": ${JSON.stringify(example[1])} }`}
      />
    </Field>
  );
}

/** Hidden if the server may not write to any folder. */
function DestinationField() {
  const { data } = useQuery(serverQuery());
  const [root] = data?.sinks ?? [];
  if (root === undefined) return null;
  return (
    <Field
      label="Copy results to"
      hint="A JSON object with a destination for each output to copy. Leave empty to copy none."
    >
      <TextArea
        className="code min-h-16"
        name="destinations"
        placeholder={`{ "masks": "bids://${root}/brains/desc-brain_mask" }`}
      />
    </Field>
  );
}

interface TriggerFieldProps {
  readonly trigger: TriggerId;
  readonly onChange: (trigger: TriggerId) => void;
}

function TriggerField({ trigger, onChange }: TriggerFieldProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">When</legend>
      <div className="space-y-1">
        {TRIGGERS.map(({ id, label }) => (
          <label key={id} className="flex items-center gap-2">
            <Radio name="trigger" value={id} checked={trigger === id} onChange={() => onChange(id)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function ScheduleFields() {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <Field label="Times" hint="Minute, hour, day, month, weekday">
        <Input className="code" name="cron" placeholder="0 3 * * *" minLength={9} maxLength={200} required />
      </Field>
      <Field label="Time zone">
        <Input name="zone" defaultValue={zone} maxLength={64} required />
      </Field>
    </div>
  );
}

function QueryField({ network, isRequired }: { readonly network: string; readonly isRequired: boolean }) {
  const { data } = useQuery(routeQuery("GET /api/dataset-queries"));
  const queries = data?.queries.filter((query) => query.network === network) ?? [];
  const hasNone = network !== "" && data !== undefined && queries.length === 0;
  return (
    <div>
      <Field label="Samples" hint={hasNone ? "This network has no saved query." : "A saved query of the network"}>
        <Select
          name="query"
          required={isRequired}
          key={`${network} ${queries.length}`}
          none={isRequired ? "Choose…" : "None: one run each time"}
          options={queries.map(({ query_id: id, name }) => ({ id, label: name }))}
        />
      </Field>
      {hasNone && (
        <Link className="link text-small" to="/datasets" target="_blank">
          Save a query of a dataset (new tab)
        </Link>
      )}
    </div>
  );
}

const MODES = [
  { id: "new", label: "new samples" },
  { id: "all", label: "all samples" },
];

function LimitFields() {
  return (
    <div className="grid gap-3 md:grid-cols-3">
      <Field label="Each run contains">
        <Select name="mode" options={MODES} />
      </Field>
      <Field label="Wait until files are unchanged for (s)">
        <Input name="settle" type="number" min={0} max={86_400} defaultValue={60} />
      </Field>
      <Field label="Most runs per day">
        <Input name="limit" type="number" min={1} max={1000} defaultValue={24} />
      </Field>
    </div>
  );
}
