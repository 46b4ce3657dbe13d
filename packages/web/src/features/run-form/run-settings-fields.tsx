import type { ReactNode } from "react";
import { KEEP_CHOICES } from "./keep-choices.ts";
import { MEMORY_CHOICES } from "./memory-choices.ts";
import { CACHE_CHOICES, FAILURE_CHOICES } from "./option-choices.ts";
import type { RunSettings } from "./run-target.ts";

export interface RunSettingsFieldsProps {
  readonly settings: RunSettings;
  readonly onChange: (settings: RunSettings) => void;
}

/** Name and options of the run, apart from its inputs. */
export function RunSettingsFields({ settings, onChange }: RunSettingsFieldsProps) {
  const change = (part: Partial<RunSettings>): void => onChange({ ...settings, ...part });
  return (
    <details className="card px-4 py-3">
      <summary className="cursor-pointer font-medium">Name and options</summary>
      <div className="mt-3 grid gap-4 md:grid-cols-3">
        <Labelled label="Name of the run">
          <input
            className="input"
            maxLength={200}
            value={settings.name}
            placeholder="made from the network and the time"
            onChange={(event) => change({ name: event.target.value })}
          />
        </Labelled>
        <Choice
          label="When a job fails"
          value={settings.onFailure}
          choices={FAILURE_CHOICES}
          onChoose={(onFailure) => change({ onFailure })}
        />
        <NumberField
          label="Jobs at the same time, at most"
          value={settings.maxParallelJobs}
          placeholder="as many as fit"
          onChange={(maxParallelJobs) => change({ maxParallelJobs })}
        />
        <NumberField
          label="Tries of a failed job, beside the first"
          value={settings.retries}
          placeholder="2 for what is temporary, else 0"
          onChange={(retries) => change({ retries })}
        />
        <Choice
          label="Results of earlier jobs"
          value={settings.cache}
          choices={CACHE_CHOICES}
          onChoose={(cache) => change({ cache })}
        />
        <Choice
          label="When a job runs out of memory"
          value={settings.onOutOfMemory}
          choices={MEMORY_CHOICES}
          onChoose={(onOutOfMemory) => change({ onOutOfMemory })}
        />
        <NumberField
          label="Priority among runs, -10 to 10"
          value={settings.priority}
          placeholder="0; higher goes first"
          onChange={(priority) => change({ priority })}
        />
        <Choice
          label="Intermediate files"
          value={settings.keepIntermediate}
          choices={KEEP_CHOICES}
          onChoose={(keepIntermediate) => change({ keepIntermediate })}
        />
      </div>
    </details>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
}

function NumberField({ label, value, placeholder, onChange }: NumberFieldProps) {
  return (
    <Labelled label={label}>
      <input
        className="input tabular-nums"
        inputMode="numeric"
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
    </Labelled>
  );
}

interface ChoiceProps<Id extends string> {
  readonly label: string;
  readonly value: Id;
  readonly choices: readonly { readonly id: Id; readonly label: string }[];
  readonly onChoose: (id: Id) => void;
}

function Choice<Id extends string>({ label: name, value, choices, onChoose }: ChoiceProps<Id>) {
  const choose = (wanted: string): void => choices.filter(({ id }) => id === wanted).forEach(({ id }) => onChoose(id));
  return (
    <Labelled label={name}>
      <select className="input" value={value} onChange={(event) => choose(event.target.value)}>
        {choices.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <label>
      <span className="mb-1 block font-semibold">{label}</span>
      {children}
    </label>
  );
}
