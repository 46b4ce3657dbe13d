import type { CatalogDocument } from "@weft/shared/records/draft-record.ts";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { CheckField, Field, Input, Select } from "../../../ui/field.tsx";
import { PlainForm } from "../../../ui/form.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Modal } from "../../../ui/modal.tsx";
import type { DrawingAction } from "../language/plan-action.ts";
import type { DrawingActions } from "./use-drawing-actions.ts";

interface ChosenStepsBarProps {
  readonly choosing: ReturnType<typeof useChoosing>;
  readonly actions: DrawingActions;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The actions for several steps at once. */
export function ChosenStepsBar({ choosing, actions }: ChosenStepsBarProps) {
  const [isGrouping, setIsGrouping] = useState(false);
  const steps = [...choosing.chosen];
  if (steps.length === 0)
    return choosing.isOn ? (
      <p role="status" className="text-soft">
        Click or tap steps, or draw a box around them.
      </p>
    ) : null;
  const act = (action: DrawingAction): void => {
    actions.act(action);
    choosing.clear();
  };
  const gestures = steps.map((name) => ({ kind: "remove", of: "step", name }) as const);
  const buttons = [
    { label: "Group…", act: () => setIsGrouping(true) },
    { label: "Duplicate", act: () => act({ kind: "duplicate-steps", steps }) },
    { label: "Delete", act: () => act({ kind: "gestures", gestures, shown: "" }) },
    { label: "Clear selection", act: choosing.clear },
  ];
  return (
    <div role="toolbar" aria-label="Selected steps" className="flex flex-wrap items-center gap-2">
      <span role="status">{countText(steps.length, "step")} selected</span>
      {buttons.map((button) => (
        <Button small key={button.label} onClick={button.act}>
          {button.label}
        </Button>
      ))}
      {isGrouping && (
        <GroupDialog
          steps={steps}
          onGroup={(name) => act({ kind: "group", steps, name })}
          onClose={() => setIsGrouping(false)}
        />
      )}
    </div>
  );
}

interface GroupDialogProps {
  readonly steps: readonly string[];
  readonly onGroup: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of the step that will run the chosen steps as a network of its own. */
function GroupDialog({ steps, onGroup, onClose }: GroupDialogProps) {
  const submit = (form: FormData): void => {
    onGroup(String(form.get("name")));
    onClose();
  };
  return (
    <FormDialog title="Group steps" submitLabel="Group" onSubmit={submit} onClose={onClose}>
      <p className="wrap-anywhere">
        One step will run {steps.join(", ")} as a network inside this one. Results stay the same.
      </p>
      <Field label="Name of the step">
        <Input code name="name" defaultValue="group" required pattern="[A-Za-z_][\w\-]*" maxLength={100} />
      </Field>
    </FormDialog>
  );
}

/** The state of choosing several steps for one action. */
export function useChoosing(graph: GraphRecord | undefined) {
  const [isOn, setIsOn] = useState(false);
  const [paths, setPaths] = useState<ReadonlySet<string>>(NOTHING);
  // A step can disappear while it is chosen.
  const chosen = new Set(graph?.nodes.flatMap(({ step }) => (step !== undefined && paths.has(step) ? step : [])));
  const clear = (): void => {
    setPaths(NOTHING);
    setIsOn(false);
  };
  const escape = useEffectEvent((event: KeyboardEvent) => {
    // In a dialog, Escape closes the dialog.
    const isInDialog = event.target instanceof Element && event.target.closest('[role$="dialog"]') !== null;
    if (event.key === "Escape" && !isInDialog && (isOn || chosen.size > 0)) clear();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => escape(event);
    globalThis.addEventListener("keydown", listener);
    return () => globalThis.removeEventListener("keydown", listener);
  }, []);
  return {
    chosen,
    isOn,
    setIsOn,
    clear,
    onToggle: (path: string): void => {
      const next = new Set(chosen);
      if (!next.delete(path)) next.add(path);
      setPaths(next);
    },
    onAdd: (added: readonly string[]): void => setPaths(new Set([...chosen, ...added])),
  };
}

/** Maximum number of listed matches. */
const SHOWN = 40;

interface AddStepDialogProps {
  /** The name that the step will get, "" if that is undecided. */
  readonly after: string;
  readonly documents: readonly CatalogDocument[];
  readonly onAdd: (document: CatalogDocument) => void;
  readonly onClose: () => void;
}

const TYPES = ["File", "Directory", "string", "int", "float", "boolean"] as const;

/** Finds a tool or network of the catalog by typing; Enter adds the first match. */
export function AddStepDialog({ after, documents, onAdd, onClose }: AddStepDialogProps) {
  const [words, setWords] = useState("");
  const found = matching(documents, words);
  const add = (document: CatalogDocument): void => {
    onAdd(document);
    onClose();
  };
  const submit = (): void => {
    if (found[0] !== undefined) add(found[0]);
  };
  return (
    <Modal title={after === "" ? "Add a step" : `Add a step after ${after}`} onClose={onClose}>
      <PlainForm onSubmit={submit} className="space-y-3">
        <Field label="Tool or network">
          <Input value={words} autoComplete="off" spellCheck={false} autoFocus onType={setWords} />
        </Field>
        <p role="status" className="sr-only">
          {found.length} found
        </p>
        {found.length === 0 && <p className="text-soft">No tools or networks match "{words}".</p>}
        <Matches documents={found.slice(0, SHOWN)} onAdd={add} />
      </PlainForm>
    </Modal>
  );
}

function Matches({ documents, onAdd }: Pick<AddStepDialogProps, "documents" | "onAdd">) {
  return (
    <ul className="divide-y divide-line">
      {documents.map((document) => (
        <li key={document.path}>
          <Button
            look="bare"
            className="flex min-h-10 w-full flex-wrap items-baseline gap-x-2 rounded px-2 py-1.5 text-left hover:bg-accent-soft"
            onClick={() => onAdd(document)}
          >
            <span className="font-medium">{document.label ?? document.id}</span>
            <span className="code text-small text-soft">
              {document.id} {document.version}
            </span>
            <span className="ml-auto text-small text-soft">{document.kind}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Documents with every word in their ID, version or label; the newest version of each comes first. */
function matching(documents: readonly CatalogDocument[], words: string): readonly CatalogDocument[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return documents.filter(({ id, version, label, deprecated }) => {
    const text = `${id} ${version ?? ""} ${label ?? ""}`.toLowerCase();
    return !deprecated && wanted.every((word) => text.includes(word));
  });
}

interface AddInputDialogProps {
  readonly onAdd: (name: string, type: string) => void;
  readonly onClose: () => void;
}

/** A new input of the network. */
export function AddInputDialog({ onAdd, onClose }: AddInputDialogProps) {
  const [isList, setIsList] = useState(false);
  const [isOptional, setIsOptional] = useState(false);
  const submit = (form: FormData): void => {
    const type = `${String(form.get("type"))}${isList ? "[]" : ""}${isOptional ? "?" : ""}`;
    onAdd(String(form.get("name")), type);
    onClose();
  };
  return (
    <FormDialog title="Add an input" submitLabel="Add input" onSubmit={submit} onClose={onClose}>
      <Field label="Name">
        <Input code name="name" required pattern="[A-Za-z_]\w*" />
      </Field>
      <Field label="Type" className="max-w-60">
        <Select name="type" options={TYPES.map((id) => ({ id, label: id }))} />
      </Field>
      <CheckField checked={isList} onCheck={setIsList}>
        A list, such as one per sample
      </CheckField>
      <CheckField checked={isOptional} onCheck={setIsOptional}>
        Optional
      </CheckField>
    </FormDialog>
  );
}
