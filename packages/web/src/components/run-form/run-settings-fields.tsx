import { Field, Input, Select } from "../../ui/field.tsx";
import {
  type RunSettings,
  CACHE_CHOICES,
  FAILURE_CHOICES,
  KEEP_CHOICES,
  MEMORY_CHOICES,
} from "./model/run-settings.ts";

interface RunSettingsFieldsProps {
  readonly settings: RunSettings;
  readonly onChange: (settings: RunSettings) => void;
}

/** Run name and options of the run, apart from its inputs. */
export function RunSettingsFields(form: RunSettingsFieldsProps) {
  return (
    <details className="card px-4 py-3">
      <summary className="cursor-pointer font-medium">Run name and options</summary>
      <div className="mt-3 grid gap-4 md:grid-cols-3">
        <NameField {...form} />
        <Choice {...form} setting="onFailure" label="When a job fails" choices={FAILURE_CHOICES} />
        <NumberField {...form} setting="maxParallelJobs" label="Max parallel jobs" placeholder="no limit" />
        <NumberField
          {...form}
          setting="retries"
          label="Retries per job"
          placeholder="Default: 2 for temporary errors, otherwise 0"
        />
        <Choice {...form} setting="cache" label="Cached results" choices={CACHE_CHOICES} />
        <Choice {...form} setting="onOutOfMemory" label="When a job runs out of memory" choices={MEMORY_CHOICES} />
        <NumberField {...form} setting="priority" label="Priority (−10 … 10)" placeholder="0 (higher starts first)" />
        <Choice {...form} setting="keepIntermediate" label="Intermediate files" choices={KEEP_CHOICES} />
      </div>
    </details>
  );
}

function NameField({ settings, onChange }: RunSettingsFieldsProps) {
  return (
    <Field label="Run name">
      <Input
        maxLength={200}
        value={settings.name}
        placeholder="Default: network, changed inputs and time"
        onType={(name) => onChange({ ...settings, name })}
      />
    </Field>
  );
}

interface NumberFieldProps extends RunSettingsFieldsProps {
  readonly setting: "maxParallelJobs" | "retries" | "priority";
  readonly label: string;
  readonly placeholder: string;
}

function NumberField({ settings, onChange, setting, label, placeholder }: NumberFieldProps) {
  return (
    <Field label={label}>
      <Input
        className="tabular-nums"
        inputMode="numeric"
        value={settings[setting]}
        placeholder={placeholder}
        onType={(text) => onChange({ ...settings, [setting]: text })}
      />
    </Field>
  );
}

type ChoiceSetting = "onFailure" | "cache" | "onOutOfMemory" | "keepIntermediate";

interface ChoiceProps<Setting extends ChoiceSetting> extends RunSettingsFieldsProps {
  readonly setting: Setting;
  readonly label: string;
  readonly choices: readonly { readonly id: RunSettings[Setting]; readonly label: string }[];
}

function Choice<Setting extends ChoiceSetting>(props: ChoiceProps<Setting>) {
  const { settings, onChange, setting, label, choices } = props;
  return (
    <Field label={label}>
      <Select value={settings[setting]} options={choices} onChoose={(id) => onChange({ ...settings, [setting]: id })} />
    </Field>
  );
}
