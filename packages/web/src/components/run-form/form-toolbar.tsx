import { Link } from "react-router-dom";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { FilePicker } from "../../ui/file-picker.tsx";
import { Icon } from "../../ui/icon.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { showError } from "../../ui/toast.tsx";
import { useFormStore } from "./fields/form-context.ts";
import type { InputValues } from "./model/form-store.ts";
import type { RunTarget } from "./run-target.ts";
import { loadSyntax, type SyntaxId } from "./text/input-syntax.ts";
import { Toolbar } from "../../ui/toolbar.tsx";

/** The fields, or all inputs as text. */
export type FormView = "form" | SyntaxId;

const VIEWS: readonly { readonly id: FormView; readonly label: string }[] = [
  { id: "form", label: "Form" },
  { id: "yaml", label: "YAML" },
  { id: "json", label: "JSON" },
];

interface FormToolbarProps {
  readonly target: RunTarget;
  readonly view: FormView;
  readonly onView: (view: FormView) => void;
  readonly onFill: (values: InputValues) => void;
  /** Called with a file that should contain an input object as YAML or JSON. */
  readonly onLoad: (file: File) => void;
}

/** Fills, exports or resets the whole form. */
export function FormToolbar({ target, view, onView, onFill, onLoad }: FormToolbarProps) {
  return (
    <Toolbar>
      <Segments label="Input view" options={VIEWS} chosen={view} onChoose={onView} />
      {target.kind === "network" && target.draft === undefined && (
        <Link className="btn" to={`/datasets?network=${target.id}`}>
          Samples from a dataset…
        </Link>
      )}
      <ExampleChoice examples={target.examples} onFill={onFill} />
      <FilePicker
        label="Input file"
        accept=".yml,.yaml,.json,application/json"
        icon="upload"
        text="Load from file"
        onFiles={([file]) => onLoad(file)}
      />
      <DownloadButton processId={target.id} syntax={view === "json" ? "json" : "yaml"} />
      <Button look="quiet" onClick={() => onFill({})}>
        Reset form
      </Button>
    </Toolbar>
  );
}

/** A button for the first example, and a list of the others. */
function ExampleChoice({ examples: [first, ...others], onFill }: ExampleChoiceProps) {
  if (first === undefined) return null;
  return (
    <>
      <Button title={first.name} onClick={() => onFill(first.inputs)}>
        Use example
      </Button>
      {others.length > 0 && (
        <Select<number | "">
          className="w-auto"
          aria-label="More examples"
          value=""
          none="More examples…"
          options={others.map(({ name }, id) => ({ id, label: name }))}
          onChoose={(id) => id !== "" && onFill(others[id]?.inputs ?? {})}
        />
      )}
    </>
  );
}

interface ExampleChoiceProps extends Pick<FormToolbarProps, "onFill"> {
  readonly examples: RunTarget["examples"];
}

/**
 * Saves the inputs in the syntax of the current view; in the form view as YAML, which `weft run` and other runners
 * accept.
 */
function DownloadButton({ processId, syntax }: { readonly processId: string; readonly syntax: SyntaxId }) {
  const store = useFormStore();
  const end = syntax === "json" ? "json" : "yml";
  const save = async (): Promise<void> => {
    const { write } = await loadSyntax(syntax);
    saveFile(write(store.values()), { name: `${processId}-inputs.${end}`, type: `application/${syntax}` });
  };
  return (
    <Button onClick={() => void save().catch(() => showError("The inputs could not be saved as a file"))}>
      <Icon name="download" /> Download inputs.{end}
    </Button>
  );
}
