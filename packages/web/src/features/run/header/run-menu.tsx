import { useMutation, useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { api } from "../../../api/client.ts";
import { resultsQuery } from "../../../api/queries/result-queries.ts";
import { useDescribeRun } from "../../../api/queries/run-queries.ts";
import { useRights } from "../../../api/session-query.ts";
import { useCanEdit } from "../../../components/process/process-link.tsx";
import { useCanRunAgain } from "../../../components/role-gate.tsx";
import { usePause } from "../../../components/run/run-controls.tsx";
import { askForNotices, watchedRuns, withWatched } from "../../../components/run/run-notices.ts";
import { links } from "../../../format/links.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { parseTags, tagsText } from "../../../format/tags-text.ts";
import { Field, Input, TextArea } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuCheck, MenuItem, SubMenu } from "../../../ui/menu.tsx";
import { usePersisted } from "../../../ui/persisted.ts";
import { showError, showToast } from "../../../ui/toast.tsx";
import { resultsPart } from "../run-storage.tsx";

/** The secondary actions of a run. */
export default function RunMenu({ run }: { readonly run: Run }) {
  const [dialog, setDialog] = useState<"reproduce" | "describe" | undefined>(undefined);
  const canDescribe = useRights().mayAbort(run);
  const isFinal = STATE_LOOKS[run.state].final;
  return (
    <>
      <Menu button={<Icon name="more" />} label="More actions" className="w-10 px-0">
        {isFinal ? <EndedRunItems run={run} onReproduce={() => setDialog("reproduce")} /> : <OpenRunItems run={run} />}
        <AuthorItems run={run} />
        {canDescribe && <DescribeItems run={run} onDescribe={() => setDialog("describe")} />}
        <MenuItem onClick={() => void copyId(run)}>Copy ID</MenuItem>
      </Menu>
      {dialog === "reproduce" && <ReproduceDialog run={run} onClose={() => setDialog(undefined)} />}
      {dialog === "describe" && <DescribeDialog run={run} onClose={() => setDialog(undefined)} />}
    </>
  );
}

function DescribeItems({ run, onDescribe }: { readonly run: Run; readonly onDescribe: () => void }) {
  const change = useDescribeRun(run.run_id, {
    onError: (error) => showError(`${run.name} was not changed: ${error.message}`),
  });
  return (
    <>
      <MenuItem onClick={onDescribe}>Name, note and tags…</MenuItem>
      <MenuItem onClick={() => change.mutate({ pinned: !run.pinned })}>{run.pinned ? "Unpin" : "Pin"}</MenuItem>
      {STATE_LOOKS[run.state].final && (
        <MenuItem onClick={() => change.mutate({ archived: !run.archived })}>
          {run.archived ? "Unarchive" : "Archive"}
        </MenuItem>
      )}
    </>
  );
}

/** Maximum number of outputs in the menu. */
const MAX_OUTPUTS = 50;

function AuthorItems({ run }: { readonly run: Run }) {
  const canEdit = useCanEdit();
  if (!canEdit) return null;
  return (
    <>
      {run.network !== undefined && (
        <MenuItem to={links.newNetwork({ run: run.run_id })}>Make a network of its steps…</MenuItem>
      )}
      <NextSteps run={run} />
    </>
  );
}

/** A submenu with the outputs that a new step can read. */
function NextSteps({ run }: { readonly run: Run }) {
  const isComplete = !run.partial && resultsPart(run) === "outputs";
  const { data } = useQuery({ ...resultsQuery(run.run_id, { text: "", page: 0 }), enabled: isComplete });
  if (!isComplete || data === undefined || data.columns.length === 0) return null;
  return (
    <SubMenu label="Add a step after">
      {data.columns.slice(0, MAX_OUTPUTS).map(({ output, label = output }) => (
        <MenuItem key={output} to={links.newNetwork({ run: run.run_id, after: output })}>
          {label}
        </MenuItem>
      ))}
    </SubMenu>
  );
}

function EndedRunItems({ run, onReproduce }: { readonly run: Run; readonly onReproduce: () => void }) {
  const canRun = useCanRunAgain(run);
  return (
    <>
      {canRun && <MenuItem to={links.runAgain(run)}>Run again</MenuItem>}
      <MenuItem to={links.addToComparison([run])}>Compare…</MenuItem>
      {canRun && <MenuItem onClick={onReproduce}>Reproduce…</MenuItem>}
    </>
  );
}

function OpenRunItems({ run }: { readonly run: Run }) {
  const pause = usePause(run);
  const watch = useWatch(run);
  return (
    <>
      <MenuItem disabled={pause.isOff} onClick={pause.press}>
        {pause.isPaused ? "Resume" : "Pause"}
      </MenuItem>
      <MenuCheck checked={watch.isWatched} onCheck={() => void watch.toggle()}>
        Notify me
      </MenuCheck>
    </>
  );
}

async function copyId({ run_id: id }: Run): Promise<void> {
  try {
    await navigator.clipboard.writeText(id);
    showToast("Run ID copied");
  } catch {
    // The user may have refused access, and outside https and localhost browsers have no clipboard.
    showError(`The run ID was not copied, because the clipboard isn't available here: ${id}`);
  }
}

/** Whether the user wants a notification when the run ends; the first `toggle` asks the browser for permission. */
function useWatch(run: Pick<Run, "run_id" | "name">) {
  const [watched, setWatched] = usePersisted(watchedRuns);
  const isWatched = watched.some(([id]) => id === run.run_id);
  const toggle = async (): Promise<void> => {
    if (isWatched) return setWatched(watched.filter(([id]) => id !== run.run_id));
    const permission = await askForNotices();
    if (permission === "granted") setWatched(withWatched(watchedRuns.get(), run.run_id, run.name));
    else if (permission === "denied") showError("Notifications are blocked in your browser settings");
    else showError("Notifications need HTTPS (or localhost) and a desktop browser");
  };
  return { isWatched, toggle };
}

interface DescribeDialogProps {
  readonly run: Run;
  readonly onClose: () => void;
}

/** Changes the name, note and tags of a run. */
function DescribeDialog({ run, onClose }: DescribeDialogProps) {
  const [problem, setProblem] = useState("");
  const save = useDescribeRun(run.run_id, { onDone: onClose });
  const submit = (form: FormData): void => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const tags = parseTags(text("tags"));
    setProblem(tags.problem);
    if (tags.problem === "") save.mutate({ name: text("name"), note: text("note"), tags: tags.tags });
  };
  return (
    <FormDialog
      title="Name, note and tags"
      submitLabel="Save"
      pendingLabel="Saving…"
      isPending={save.isPending}
      refusal={problem || save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <DescriptionFields run={run} />
    </FormDialog>
  );
}

function DescriptionFields({ run }: { readonly run: Run }) {
  return (
    <>
      <Field label="Name">
        <Input name="name" defaultValue={run.name} maxLength={200} required autoComplete="off" />
      </Field>
      <Field label="Note">
        <TextArea className="min-h-24" name="note" defaultValue={run.note} maxLength={4000} />
      </Field>
      <Field label="Tags">
        <TextArea
          className="code min-h-20"
          name="tags"
          aria-describedby="tags-hint"
          defaultValue={tagsText(run.tags)}
          placeholder={"paper: figure-2\nchecked"}
        />
      </Field>
      <p id="tags-hint" className="-mt-3 text-small text-soft">
        One per line: <code className="code">name</code> or <code className="code">name: value</code>.
      </p>
    </>
  );
}

interface ReproduceDialogProps {
  readonly run: Pick<Run, "run_id" | "name">;
  readonly onClose: () => void;
}

/** Asks for a numeric tolerance, reproduces a recorded run, and opens the new run. */
function ReproduceDialog({ run, onClose }: ReproduceDialogProps) {
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: (relative: number) =>
      api("POST /api/runs/{run_id}/reproduce", { params: { run_id: run.run_id }, body: { tolerance: { relative } } }),
    onSuccess: ({ run_id }) => void navigate(`/run/${run_id}`),
  });
  return (
    <FormDialog
      title={`Reproduce ${run.name}`}
      submitLabel="Run again and compare"
      pendingLabel="Starting…"
      isPending={start.isPending}
      refusal={start.error && `Could not start: ${start.error.message}`}
      onSubmit={(form) => start.mutate(Number(form.get("percent")) / 100)}
      onClose={onClose}
    >
      <p>Runs the recorded document and inputs again without the cache, then compares the outputs.</p>
      <Field label="Numeric tolerance (%)" hint="0 = exact match. Applies to CSV, TSV and JSON files and plain values.">
        <Input className="w-32" name="percent" type="number" min="0" max="100" step="any" defaultValue="0" required />
      </Field>
    </FormDialog>
  );
}
