import { lazy, Suspense, useRef, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useFormStore } from "./fields/form-context.ts";
import type { InputValues } from "./model/form-store.ts";
import type { RunTarget } from "./run-target.ts";
import { columnInputs } from "./sample-sheet/map-sheet.ts";

const SampleSheetDialog = lazy(() => import("./sample-sheet/sample-sheet-dialog.tsx"));

export type FormView = "form" | "json";

export interface FormToolbarProps {
  readonly target: RunTarget;
  readonly view: FormView;
  readonly onView: (view: FormView) => void;
  readonly onFill: (values: InputValues) => void;
  /** The text of a file that should hold an input object. */
  readonly onLoad: (text: string) => void;
}

/** Ways to fill the form as a whole, and to take its content away. */
export function FormToolbar({ target, view, onView, onFill, onLoad }: FormToolbarProps) {
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
      <SampleSheetButton target={target} />
      <LoadButton onLoad={onLoad} />
      <DownloadButton name={`${target.id}-inputs.json`} />
      <button type="button" className="btn btn-quiet" onClick={() => onFill({})}>
        Clear
      </button>
    </div>
  );
}

function SampleSheetButton({ target }: { readonly target: RunTarget }) {
  const [isOpen, setIsOpen] = useState(false);
  if (columnInputs(target.inputs).length === 0) return null;
  return (
    <>
      <button type="button" className="btn" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Sample sheet…
      </button>
      <Suspense fallback={null}>
        {isOpen && <SampleSheetDialog inputs={target.inputs} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </>
  );
}

function LoadButton({ onLoad }: { readonly onLoad: (text: string) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        className="sr-only"
        tabIndex={-1}
        aria-label="File with inputs"
        onChange={(event) => {
          void event.target.files?.[0]?.text().then(onLoad);
          event.target.value = "";
        }}
      />
      <button type="button" className="btn" onClick={() => picker.current?.click()}>
        <Icon name="upload" /> Load from file
      </button>
    </>
  );
}

function DownloadButton({ name }: { readonly name: string }) {
  const store = useFormStore();
  const save = (): void => saveFile(`${JSON.stringify(store.values(), null, 2)}\n`, { name, type: "application/json" });
  return (
    <button type="button" className="btn" onClick={save}>
      <Icon name="download" /> Download inputs
    </button>
  );
}
