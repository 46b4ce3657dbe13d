import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { countText } from "@weft/shared/text/count-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, Input } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
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
    { label: "Choose none", act: choosing.clear },
  ];
  return (
    <div role="toolbar" aria-label="Chosen steps" className="flex flex-wrap items-center gap-2">
      <span role="status">{countText(steps.length, "step")} chosen</span>
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
        One step will run {steps.join(", ")} as a network inside of this one. Results stay the same.
      </p>
      <Field label="Name of the step">
        <Input
          className="code"
          name="name"
          defaultValue="group"
          required
          pattern="[A-Za-z_][\w\-]*"
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
        />
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
