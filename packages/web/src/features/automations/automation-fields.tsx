import type { SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { NetworkSummary } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { Field, Input, type InputProps, RadioField, Select } from "../../ui/field.tsx";
import type { AutomationDraft } from "./automation-draft.ts";

interface DraftProps {
  readonly draft: AutomationDraft;
  readonly onChange: (change: Partial<AutomationDraft>) => void;
}

interface OccasionFieldsProps extends DraftProps {
  readonly networks: readonly Pick<NetworkSummary, "id" | "label">[];
  readonly onNetwork: (network: string) => void;
}

/** The name of the automation, its network and its trigger. */
export function OccasionFields({ draft, onChange, networks, onNetwork }: OccasionFieldsProps) {
  const options = networks.map(({ id, label = id }) => ({ id, label }));
  return (
    <>
      <Entry draft={draft} onChange={onChange} entry="name" label="Name" maxLength={100} pattern=".*\S.*" />
      <Field label="Run the network">
        <Select required value={draft.network} none="Choose…" options={options} onChoose={onNetwork} />
      </Field>
      <RadioField
        legend="When"
        options={TRIGGERS}
        chosen={draft.trigger}
        onChoose={(trigger) => onChange({ trigger })}
      />
      {draft.trigger === "schedule" && <ScheduleFields draft={draft} onChange={onChange} />}
      {draft.trigger === "run-ended" && (
        <Field label="After runs of">
          <Select
            required
            value={draft.after}
            none="Choose…"
            options={options}
            onChoose={(after) => onChange({ after })}
          />
        </Field>
      )}
    </>
  );
}

const TRIGGERS = [
  { id: "samples", label: "there are new samples" },
  { id: "schedule", label: "at these times" },
  { id: "run-ended", label: "a run of another network has succeeded" },
] as const;

function ScheduleFields(form: DraftProps) {
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <Entry
        {...form}
        entry="cron"
        label="Times"
        hint="Minute, hour, day, month, weekday"
        className="code"
        placeholder="0 3 * * *"
        minLength={9}
        maxLength={200}
      />
      <Entry {...form} entry="zone" label="Time zone" maxLength={64} />
    </div>
  );
}

interface QueryFieldProps extends Pick<DraftProps, "draft"> {
  /** The saved queries of the network. */
  readonly queries: readonly SavedDatasetQuery[];
  readonly onQuery: (id: string) => void;
}

/** The query that fills inputs with samples. */
export function QueryField({ draft, onQuery, queries }: QueryFieldProps) {
  const isRequired = draft.trigger === "samples";
  const hasNone = draft.network !== "" && queries.length === 0;
  return (
    <div>
      <Field label="Samples" hint={hasNone ? "This network has no saved query." : "A saved query of the network"}>
        <Select
          required={isRequired}
          value={draft.query}
          none={isRequired ? "Choose…" : "None: one run each time"}
          options={queries.map(({ query_id: id, name }) => ({ id, label: name }))}
          onChoose={onQuery}
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

const MODES: readonly { readonly id: AutomationDraft["mode"]; readonly label: string }[] = [
  { id: "new", label: "new samples" },
  { id: "all", label: "all samples" },
];

export function LimitFields(form: DraftProps) {
  const { draft, onChange } = form;
  return (
    <div className="grid items-end gap-3 md:grid-cols-3">
      <Field label="Each run contains">
        <Select value={draft.mode} options={MODES} onChoose={(mode) => onChange({ mode })} />
      </Field>
      <Entry
        {...form}
        entry="settle"
        label="Wait until files have been unchanged for (s)"
        type="number"
        min={0}
        max={86_400}
      />
      <Entry {...form} entry="limit" label="Maximum runs per day" type="number" min={1} max={1000} />
    </div>
  );
}

interface EntryProps extends DraftProps, Omit<InputProps, "onChange"> {
  readonly entry: "name" | "cron" | "zone" | "settle" | "limit";
  readonly label: string;
  readonly hint?: string;
}

/** A required line of text or number. */
function Entry({ draft, onChange, entry, label, hint, ...props }: EntryProps) {
  return (
    <Field label={label} hint={hint}>
      <Input
        required
        autoComplete="off"
        value={draft[entry]}
        onType={(text) => onChange({ [entry]: text })}
        {...props}
      />
    </Field>
  );
}
