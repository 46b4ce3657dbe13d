import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Toolbar } from "../../ui/toolbar.tsx";
import type { InputValues } from "./model/form-store.ts";
import type { RunTarget } from "./run-target.ts";
import type { SyntaxId } from "./text/input-syntax.ts";

const ExampleMenu = onDemand(
  async () => ({ default: (await import("./form-menus.tsx")).ExampleMenu }),
  <Button disabled>
    Use example <Icon name="chevronDown" className="size-3.5" />
  </Button>,
);
const InputsMenu = onDemand(
  async () => ({ default: (await import("./form-menus.tsx")).InputsMenu }),
  <Button disabled className="w-10 px-0" aria-label="More actions with the inputs">
    <Icon name="more" />
  </Button>,
);

/** The fields, or all inputs as text. */
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
  /** Called with a file that should contain an input object as YAML or JSON. */
  readonly onLoad: (file: File) => void;
}

/** Fills, exports or resets the whole form. */
export function FormToolbar({ target, view, onView, onFill, onLoad }: FormToolbarProps) {
  return (
    <Toolbar actions={<InputsMenu {...{ target, view, onFill, onLoad }} />}>
      <Segments label="Input view" options={VIEWS} chosen={view} onChoose={onView} />
      <ExampleChoice target={target} onFill={onFill} />
    </Toolbar>
  );
}

/** A button for the only example, or a menu of several. */
function ExampleChoice({ target: { examples }, onFill }: Pick<FormToolbarProps, "target" | "onFill">) {
  const [first, second] = examples;
  if (first === undefined) return null;
  if (second !== undefined) return <ExampleMenu examples={examples} onFill={onFill} />;
  return (
    <Button title={first.name} onClick={() => onFill(first.inputs)}>
      Use example
    </Button>
  );
}
