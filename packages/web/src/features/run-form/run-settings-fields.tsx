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
        <Labelled label="When a job fails">
          <Choice
            value={settings.onFailure}
            choices={FAILURE_CHOICES}
            onChoose={(onFailure) => change({ onFailure })}
          />
        </Labelled>
        <Labelled label="Jobs at the same time, at most">
          <input
            className="input tabular-nums"
            inputMode="numeric"
            value={settings.maxParallelJobs}
            placeholder="as many as fit"
            onChange={(event) => change({ maxParallelJobs: event.target.value })}
          />
        </Labelled>
        <Labelled label="Tries of a failed job, beside the first">
          <input
            className="input tabular-nums"
            inputMode="numeric"
            value={settings.retries}
            placeholder="2 for what is temporary, else 0"
            onChange={(event) => change({ retries: event.target.value })}
          />
        </Labelled>
        <Labelled label="Results of earlier jobs">
          <Choice value={settings.cache} choices={CACHE_CHOICES} onChoose={(cache) => change({ cache })} />
        </Labelled>
        <Labelled label="When a job runs out of memory">
          <select
            className="input"
            value={settings.onOutOfMemory}
            onChange={(event) => change({ onOutOfMemory: event.target.value })}
          >
            {MEMORY_CHOICES.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </Labelled>
        <Labelled label="Priority among runs, -10 to 10">
          <input
            className="input tabular-nums"
            inputMode="numeric"
            value={settings.priority}
            placeholder="0; higher goes first"
            onChange={(event) => change({ priority: event.target.value })}
          />
        </Labelled>
        <Labelled label="Intermediate files">
          <Choice
            value={settings.keepIntermediate}
            choices={KEEP_CHOICES}
            onChoose={(keepIntermediate) => change({ keepIntermediate })}
          />
        </Labelled>
      </div>
    </details>
  );
}

interface ChoiceProps<Id extends string> {
  readonly value: Id;
  readonly choices: readonly { readonly id: Id; readonly label: string }[];
  readonly onChoose: (id: Id) => void;
}

function Choice<Id extends string>({ value, choices, onChoose }: ChoiceProps<Id>) {
  const choose = (wanted: string): void => choices.filter(({ id }) => id === wanted).forEach(({ id }) => onChoose(id));
  return (
    <select className="input" value={value} onChange={(event) => choose(event.target.value)}>
      {choices.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
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
