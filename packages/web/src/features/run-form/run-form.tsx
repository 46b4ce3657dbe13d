import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo, useState, type FormEvent } from "react";
import { Icon } from "../../ui/icon.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { FormStoreProvider } from "./fields/form-context.ts";
import { InputFields } from "./input-fields.tsx";
import { JsonEditor } from "./json-editor.tsx";
import { FormStore, type InputValues } from "./model/form-store.ts";
import { PlanView } from "./plan-view.tsx";
import { ProblemSummary } from "./problem-summary.tsx";
import { RunSettingsFields } from "./run-settings-fields.tsx";
import { START_SETTINGS, type RunTarget } from "./run-target.ts";
import { useRunRequests } from "./use-run-requests.ts";

export interface RunFormProps {
  readonly target: RunTarget;
  /** Inputs to begin with: those of an earlier run. */
  readonly startValues: InputValues;
  readonly onStarted: (run: Run) => void;
}

/** The form of a network or tool, made from the types of its inputs, and the same values as JSON. */
export function RunForm({ target, startValues, onStarted }: RunFormProps) {
  const store = useMemo(() => new FormStore(startValues), [startValues]);
  const [settings, setSettings] = useState(START_SETTINGS);
  const [view, setView] = useState<"form" | "json">("form");
  const [filling, setFilling] = useState(0);
  const requests = useRunRequests({ target, store, settings, onStarted });
  const fill = (values: InputValues): void => {
    store.replaceValues(values);
    requests.reset();
    setFilling((count) => count + 1);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    requests.start();
  };
  return (
    <FormStoreProvider value={store}>
      <form noValidate onSubmit={submit} className="space-y-4">
        <FormToolbar target={target} view={view} onView={setView} onFill={fill} />
        <ProblemSummary general={requests.general} attempt={requests.attempt} onOpenForm={() => setView("form")} />
        {requests.failure !== undefined && <ErrorCard error={requests.failure} />}
        <div className="card p-4 md:p-5">
          {view === "form" ? <InputFields key={filling} inputs={target.inputs} /> : <JsonEditor />}
        </div>
        <RunSettingsFields settings={settings} onChange={setSettings} />
        <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center gap-2 border-t border-line bg-canvas px-1 py-3">
          <button type="submit" className="btn btn-primary" disabled={requests.isStarting}>
            <Icon name="play" /> {requests.isStarting ? "Starting…" : "Start run"}
          </button>
          <button type="button" className="btn" disabled={requests.isPlanning} onClick={requests.plan}>
            {requests.isPlanning ? "Planning…" : "Plan"}
          </button>
          <span className="text-[0.8125rem] text-soft">Plan shows the command lines and starts nothing.</span>
        </div>
      </form>
      {requests.planned !== undefined && <PlanView key={requests.plannedAtMs} plan={requests.planned} />}
    </FormStoreProvider>
  );
}

interface FormToolbarProps {
  readonly target: RunTarget;
  readonly view: "form" | "json";
  readonly onView: (view: "form" | "json") => void;
  readonly onFill: (values: InputValues) => void;
}

function FormToolbar({ target, view, onView, onFill }: FormToolbarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div role="group" aria-label="View of the inputs" className="flex rounded-lg border border-line bg-surface p-0.5">
        {(["form", "json"] as const).map((entry) => (
          <button
            key={entry}
            type="button"
            aria-pressed={view === entry}
            className="min-h-7 rounded-md px-3 font-medium text-soft aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:min-h-10"
            onClick={() => onView(entry)}
          >
            {entry === "form" ? "Form" : "JSON"}
          </button>
        ))}
      </div>
      {target.examples.map((example) => (
        <button key={example.name} type="button" className="btn" onClick={() => onFill(example.inputs)}>
          Use example{target.examples.length > 1 ? ` “${example.name}”` : ""}
        </button>
      ))}
      <button type="button" className="btn btn-quiet" onClick={() => onFill({})}>
        Clear
      </button>
    </div>
  );
}
