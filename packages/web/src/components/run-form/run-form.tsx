import type { Run } from "@weft/shared/records/run-record.ts";
import { useState, useSyncExternalStore } from "react";
import { Link } from "react-router-dom";
import { Button } from "../../ui/button.tsx";
import { PlainForm } from "../../ui/form.tsx";
import { showError } from "../../ui/toast.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { Icon } from "../../ui/icon.tsx";
import { FormStoreProvider, useFormStore, useFormValues } from "./fields/form-context.ts";
import { FormToolbar, type FormView } from "./form-toolbar.tsx";
import { InputFields } from "./input-fields.tsx";
import type { FormStore, InputValues } from "./model/form-store.ts";
import { namesOfRun, namesStillFit } from "./model/named-samples.ts";
import { START_SETTINGS, type RunSettings } from "./model/run-settings.ts";
import { PlanView } from "./plan-view.tsx";
import { ProblemSummary } from "./problems/problem-summary.tsx";
import { RestoredNote } from "./restored-note.tsx";
import { RunSettingsFields } from "./run-settings-fields.tsx";
import { datasetsOf, formKey, leftValues, settingsOf, type FormContent, type RunTarget } from "./run-target.ts";
import { SidecarChoice, SinkFields } from "./sink-fields.tsx";
import { type SyntaxId, loadSyntax, syntaxOfFile, type TextDraft } from "./text/input-syntax.ts";
import type { InputsEditorProps } from "./text/inputs-editor.tsx";
import { useDraft, type FormBeginning } from "./use-draft.ts";
import { type PlannedRun, type RunRequests, requestText, UnknownStart, useRunRequests } from "./use-run-requests.ts";
import { missingText } from "./problems/field-names.ts";
import { Notice } from "../../ui/notice.tsx";

const EDITORS = { json: editorOf("json"), yaml: editorOf("yaml") };

function editorOf(id: SyntaxId) {
  return onDemand(
    async () => {
      const [{ InputsEditor }, syntax] = await Promise.all([import("./text/inputs-editor.tsx"), loadSyntax(id)]);
      return { default: (props: Omit<InputsEditorProps, "syntax">) => <InputsEditor syntax={syntax} {...props} /> };
    },
    <Skeleton rows={12} />,
  );
}

export interface RunFormProps {
  /** Name of the form, under which the browser keeps typed values; absent: that of its target. */
  readonly form?: string;
  readonly target: RunTarget;
  /** The run whose inputs and options initially fill the form. */
  readonly earlier: Run | undefined;
  /** Values that initially fill the form instead. */
  readonly content?: FormContent | undefined;
  readonly onStarted: (run: Run) => void;
}

/** The form of a network or tool, generated from its input types, with YAML and JSON views of the values. */
export function RunForm(props: RunFormProps) {
  const { target } = props;
  const form = useRunForm(props);
  const { requests, setView } = form;
  return (
    <FormStoreProvider value={form.store}>
      <PlainForm noValidate onSubmit={requests.start} className="space-y-4">
        <ProblemSummary form={target} findings={requests} onOpenForm={() => setView("form")}>
          {requests.failure instanceof UnknownStart && <UnknownCard />}
        </ProblemSummary>
        {/* The settings of a starting run must not change on the screen. */}
        <fieldset disabled={requests.isStarting} inert={requests.isStarting} className="min-w-0 space-y-4">
          <FormParts target={target} form={form} />
        </fieldset>
        <FormButtons requests={requests} target={target} />
      </PlainForm>
      {requests.planned !== undefined && (
        <Planned planned={requests.planned} target={target} store={form.store} onAgain={requests.plan} />
      )}
    </FormStoreProvider>
  );
}

interface FormPartsProps {
  readonly target: RunTarget;
  readonly form: ReturnType<typeof useRunForm>;
}

function FormParts({ target, form }: FormPartsProps) {
  const { settings, setSettings, setView } = form;
  const load = (file: File): void =>
    void form.load(file).catch((error: Error) => showError(`${file.name} was not read: ${error.message}`));
  return (
    <>
      <FormToolbar target={target} view={form.view} onView={setView} onFill={form.fill} onLoad={load} />
      {form.restoredFrom !== undefined && <RestoredNote savedAt={form.restoredFrom} onDiscard={form.discard} />}
      <SampleNamesNote />
      <LeftValuesNote target={target} />
      <InputViews filling={form.filling} view={form.view} target={target} text={form.text} onView={setView} />
      <RunSettingsFields settings={settings} onChange={setSettings} />
      <Destinations target={target} form={form} />
    </>
  );
}

function Destinations({ target, form: { settings, setSettings, requests } }: FormPartsProps) {
  return (
    <SinkFields
      processId={target.id}
      outputs={target.outputs}
      places={settings.places}
      problems={requests.placeProblems}
      values={useFormValues()}
      onChange={(places) => setSettings({ ...settings, places })}
    >
      <SidecarChoice checked={settings.sidecars} onChange={(sidecars) => setSettings({ ...settings, sidecars })} />
    </SinkFields>
  );
}

interface PlannedProps {
  readonly planned: PlannedRun;
  readonly target: RunTarget;
  readonly store: FormStore<RunSettings>;
  readonly onAgain: () => void;
}

/** The plan, with a note if the form or the document has changed since. */
function Planned({ planned, target, store, onAgain }: PlannedProps) {
  const shown = useSyncExternalStore(store.subscribe, () => requestText(target, store));
  return <PlanView key={planned.atMs} plan={planned.plan} onAgain={shown === planned.request ? undefined : onAgain} />;
}

/** Lists values for inputs that the document no longer has. */
function LeftValuesNote({ target }: { readonly target: RunTarget }) {
  const values = useFormValues();
  const left = leftValues(target, values);
  if (left.length === 0) return null;
  return (
    <p role="status" className="text-soft wrap-anywhere">
      Not sent, because the document has no such input: {left.join(", ")}
    </p>
  );
}

function contentOf(earlier: Run | undefined): FormContent {
  return { values: earlier?.inputs ?? {}, samples: earlier && namesOfRun(earlier) };
}

/** The state of the form, and how to fill and submit it. */
function useRunForm({
  target,
  form = formKey(target),
  earlier,
  content = contentOf(earlier),
  onStarted,
}: RunFormProps) {
  const [beginning] = useState(() => ({
    ...content,
    settings: earlier === undefined ? START_SETTINGS : settingsOf(earlier),
  }));
  const { store, restoredFrom, drop } = useDraft(form, target, beginning);
  const settings = useSyncExternalStore(store.subscribe, store.settings);
  const [view, setView] = useState<FormView>("form");
  const text = useTextDraft(store);
  const started = (run: Run): void => {
    drop();
    onStarted(run);
  };
  const requests = useRunRequests({ form, target, store, fault: text.fault, onStarted: started });
  const filling = useFilling({ store, beginning, text, drop, setView, reset: requests.reset });
  const setSettings = (next: RunSettings): void => store.setSettings(next);
  return { store, settings, setSettings, restoredFrom, view, setView, text, requests, ...filling };
}

interface FillingOptions {
  readonly store: FormStore<RunSettings>;
  readonly beginning: FormBeginning<RunSettings>;
  readonly text: ReturnType<typeof useTextDraft>;
  /** Deletes the saved draft. */
  readonly drop: () => void;
  readonly setView: (view: FormView) => void;
  /** Clears the results of earlier requests. */
  readonly reset: () => void;
}

/** Replaces all values: from an example, from a file, or with nothing. */
function useFilling({ store, beginning, text, drop, setView, reset }: FillingOptions) {
  const [filling, setFilling] = useState(0);
  const fill = (values: InputValues): void => {
    store.replaceValues(values);
    store.setSamples(undefined); // they named the samples of the form before
    reset();
    setFilling((count) => count + 1);
  };
  const load = async (file: File): Promise<void> => {
    const syntax = syntaxOfFile(file.name);
    const [{ read }, content] = await Promise.all([loadSyntax(syntax), file.text()]);
    const inputs = read(content);
    if (inputs.values !== undefined) return fill(inputs.values);
    text.setDraft({ syntax, text: content, values: store.values(), fault: inputs.fault });
    setView(syntax);
  };
  const discard = (): void => {
    fill(beginning.values);
    store.setSamples(beginning.samples);
    store.setSettings(beginning.settings);
    drop();
  };
  return { filling, fill, load, discard };
}

interface InputViewsProps {
  /** Changes when the fields must remount with other values. */
  readonly filling: number;
  readonly view: FormView;
  readonly target: RunTarget;
  readonly text: ReturnType<typeof useTextDraft>;
  readonly onView: (view: FormView) => void;
}

function InputViews({ filling, view, target, text, onView }: InputViewsProps) {
  const Editor = view === "form" ? undefined : EDITORS[view];
  return (
    <div className="card p-4 md:p-5">
      {view === "form" && text.draft?.fault !== undefined && (
        <UnreadNote draft={text.draft} onView={onView} onDiscard={() => text.setDraft(undefined)} />
      )}
      {view === "form" && <InputFields key={filling} target={target} datasets={datasetsOf(target)} />}
      {Editor !== undefined && <Editor draft={text.draft} onDraft={text.setDraft} />}
    </div>
  );
}

interface UnreadNoteProps {
  readonly draft: TextDraft;
  readonly onView: (view: FormView) => void;
  readonly onDiscard: () => void;
}

/** Warns the user before invalid text is lost, which the fields cannot show. */
function UnreadNote({ draft, onView, onDiscard }: UnreadNoteProps) {
  const values = useFormValues();
  const name = draft.syntax.toUpperCase();
  if (values !== draft.values) return null;
  return (
    <Notice
      role="status"
      tone="failed"
      className="mb-4"
      title={`Your ${name} has an error. The form shows the last valid values.`}
      actions={
        <>
          <Button small onClick={() => onView(draft.syntax)}>
            Back to the {name}
          </Button>
          <Button look="quiet" small onClick={onDiscard}>
            Discard the {name}
          </Button>
        </>
      }
    >
      {draft.fault} Changing the form discards the {name}.
    </Notice>
  );
}

/** The text in the YAML or JSON view, and its syntax error. */
function useTextDraft(store: FormStore) {
  const [draft, setDraft] = useState<TextDraft | undefined>(undefined);
  const fault = (): string | undefined =>
    draft?.fault !== undefined && draft.values === store.values()
      ? `The ${draft.syntax.toUpperCase()} text is invalid. ${draft.fault}`
      : undefined;
  return { draft, setDraft, fault };
}

interface FormButtonsProps {
  readonly requests: RunRequests;
  readonly target: RunTarget;
}

/** Start and Preview, always visible, with the missing inputs. */
function FormButtons({ requests, target }: FormButtonsProps) {
  const values = useFormValues();
  return (
    <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center gap-2 border-t border-line bg-canvas px-1 py-3">
      <Button look="primary" type="submit" disabled={requests.isStarting}>
        <Icon name="play" /> {requests.isStarting ? "Starting…" : "Start run"}
      </Button>
      <Button disabled={requests.isPlanning} onClick={requests.plan}>
        {requests.isPlanning ? "Loading preview…" : "Preview"}
      </Button>
      <span className="text-small text-soft">
        {missingText(target, values) ?? "Preview shows what would run, without starting it."}
      </span>
    </div>
  );
}

/** Tells the user when sample names no longer apply because their lists changed in another view. */
function SampleNamesNote() {
  const store = useFormStore();
  const values = useFormValues();
  const samples = useSyncExternalStore(store.subscribe, store.samples);
  if (samples === undefined || namesStillFit(samples, values)) return null;
  return (
    <Notice
      role="status"
      tone="warning"
      actions={
        <Button small onClick={() => store.setSamples(undefined)}>
          Remove sample names
        </Button>
      }
    >
      {Object.keys(samples.lists).join(", ")} changed after you named the samples. Samples are now named after their
      files.
    </Notice>
  );
}

function UnknownCard() {
  return (
    <Notice
      role="alert"
      tone="failed"
      title="No answer from the server"
      actions={
        <Link className="btn" to="/runs">
          Show all runs
        </Link>
      }
    >
      It is unknown whether the run was started. Press Start run again when the server responds: as long as you change
      nothing, this cannot start a second run. It opens the run that was started, or starts it now.
    </Notice>
  );
}
