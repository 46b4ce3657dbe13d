import { FilePicker } from "../../ui/file-picker.tsx";
import { Icon } from "../../ui/icon.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { showToast } from "../../ui/toast.tsx";
import { useFormStore } from "./fields/form-context.ts";
import type { InputValues } from "./model/form-store.ts";
import type { RunTarget } from "./run-target.ts";
import { loadSyntax, type SyntaxId } from "./text/input-syntax.ts";

/** The fields, or the whole as one text. */
export type FormView = "form" | SyntaxId;

const VIEWS: readonly { readonly id: FormView; readonly label: string }[] = [
  { id: "form", label: "Form" },
  { id: "yaml", label: "YAML" },
  { id: "json", label: "JSON" },
];

export interface FormToolbarProps {
  readonly target: RunTarget;
  readonly view: FormView;
  readonly onView: (view: FormView) => void;
  readonly onFill: (values: InputValues) => void;
  /** A file that should hold an input object, as YAML or JSON. */
  readonly onLoad: (file: File) => void;
}

/** Ways to fill the form as a whole, and to take its content away. */
export function FormToolbar({ target, view, onView, onFill, onLoad }: FormToolbarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div role="group" aria-label="View of the inputs" className="flex rounded-lg border border-line bg-surface p-0.5">
        {VIEWS.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            aria-pressed={view === id}
            className="min-h-7 rounded-md px-3 font-medium text-soft aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:min-h-10"
            onClick={() => onView(id)}
          >
            {label}
          </button>
        ))}
      </div>
      {target.examples.map((example) => (
        <button key={example.name} type="button" className="btn" onClick={() => onFill(example.inputs)}>
          Use example{target.examples.length > 1 ? ` “${example.name}”` : ""}
        </button>
      ))}
      <FilePicker
        label="File with inputs"
        accept=".yml,.yaml,.json,application/json"
        icon="upload"
        text="Load from file"
        onFiles={([file]) => onLoad(file)}
      />
      <DownloadButton processId={target.id} syntax={view === "json" ? "json" : "yaml"} />
      <button type="button" className="btn btn-quiet" onClick={() => onFill({})}>
        Clear
      </button>
    </div>
  );
}

/** Saves the inputs in the syntax that is looked at; beside the fields as YAML, as `weft run` and other runners take it. */
function DownloadButton({ processId, syntax }: { readonly processId: string; readonly syntax: SyntaxId }) {
  const store = useFormStore();
  const end = syntax === "json" ? "json" : "yml";
  const save = async (): Promise<void> => {
    const { write } = await loadSyntax(syntax);
    saveFile(write(store.values()), { name: `${processId}-inputs.${end}`, type: `application/${syntax}` });
  };
  return (
    <button type="button" className="btn" onClick={() => void save().catch(() => showToast("It could not be saved"))}>
      <Icon name="download" /> Download inputs.{end}
    </button>
  );
}
