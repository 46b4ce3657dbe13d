import type { Run } from "@weft/shared/records/run-record.ts";
import { useState, type FormEvent } from "react";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { FormStoreProvider } from "./fields/form-context.ts";
import { FormToolbar, type FormView } from "./form-toolbar.tsx";
import { InputFields } from "./input-fields.tsx";
import { JsonEditor, jsonFault, type JsonDraft } from "./json-editor.tsx";
import type { InputValues } from "./model/form-store.ts";
import { PlanView } from "./plan-view.tsx";
import { ProblemSummary } from "./problem-summary.tsx";
import { RunSettingsFields } from "./run-settings-fields.tsx";
import { START_SETTINGS, type RunTarget } from "./run-target.ts";
import { SampleNamesNote } from "./sample-names-note.tsx";
import { useDraft } from "./use-draft.ts";
import { useRunRequests, type RunRequests } from "./use-run-requests.ts";

export interface RunFormProps {
  readonly target: RunTarget;
  /** Inputs to begin with: those of an earlier run. */
  readonly startValues: InputValues;
  readonly onStarted: (run: Run) => void;
}

/** The form of a network or tool, made from the types of its inputs, and the same values as JSON. */
export function RunForm({ target, startValues, onStarted }: RunFormProps) {
  const { store, restoredFrom, drop } = useDraft(target, startValues);
  const [settings, setSettings] = useState(START_SETTINGS);
  const [view, setView] = useState<FormView>("form");
  const [filling, setFilling] = useState(0);
  const [json, setJson] = useState<JsonDraft | undefined>(undefined);
  const started = (run: Run): void => {
    drop();
    onStarted(run);
  };
  const fault = (): string | undefined =>
    json !== undefined && json.values === store.values() ? jsonFault(json.text) : undefined;
  const requests = useRunRequests({ target, store, settings, fault, onStarted: started });
  const fill = (values: InputValues): void => {
    store.replaceValues(values);
    requests.reset();
    setFilling((count) => count + 1);
  };
  const load = (text: string): void => {
    if (jsonFault(text) === undefined) return fill(JSON.parse(text) as InputValues); // an object: just checked
    setJson({ text, values: store.values() });
    setView("json");
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    requests.start();
  };
  return (
    <FormStoreProvider value={store}>
      <form noValidate onSubmit={submit} className="space-y-4">
        <FormToolbar target={target} view={view} onView={setView} onFill={fill} onLoad={load} />
        {restoredFrom !== undefined && (
          <RestoredNote
            savedAt={restoredFrom}
            onDiscard={() => {
              fill({});
              drop();
            }}
          />
        )}
        <ProblemSummary general={requests.general} attempt={requests.attempt} onOpenForm={() => setView("form")} />
        {requests.failure !== undefined && <ErrorCard error={requests.failure} />}
        <SampleNamesNote />
        <div className="card p-4 md:p-5">
          {view === "form" ? (
            <InputFields key={filling} inputs={target.inputs} />
          ) : (
            <JsonEditor draft={json} onDraft={setJson} />
          )}
        </div>
        <RunSettingsFields settings={settings} onChange={setSettings} />
        <FormButtons requests={requests} />
      </form>
      {requests.planned !== undefined && <PlanView key={requests.plannedAtMs} plan={requests.planned} />}
    </FormStoreProvider>
  );
}

function RestoredNote({ savedAt, onDiscard }: { readonly savedAt: string; readonly onDiscard: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-soft">
      <span>
        Filled with what you had typed here, saved <TimeAgo time={savedAt} />.
      </span>
      <button type="button" className="btn btn-small" onClick={onDiscard}>
        Discard it
      </button>
    </p>
  );
}

function FormButtons({ requests }: { readonly requests: RunRequests }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center gap-2 border-t border-line bg-canvas px-1 py-3">
      <button type="submit" className="btn btn-primary" disabled={requests.isStarting}>
        <Icon name="play" /> {requests.isStarting ? "Starting…" : "Start run"}
      </button>
      <button type="button" className="btn" disabled={requests.isPlanning} onClick={requests.plan}>
        {requests.isPlanning ? "Planning…" : "Plan"}
      </button>
      <span className="text-[0.8125rem] text-soft">Plan shows the command lines and starts nothing.</span>
    </div>
  );
}
