import type { NodeView } from "../language/network-gestures.ts";
import type { DrawingActions } from "./use-drawing-actions.ts";

interface ScatterMethodFieldProps {
  readonly node: Extract<NodeView, { readonly kind: "step" }>;
  readonly actions: DrawingActions;
}

/** How the items of several scattered inputs go together. */
export function ScatterMethodField({ node, actions }: ScatterMethodFieldProps) {
  const inputs = node.ports.filter(({ isScattered }) => isScattered).map(({ name }) => name);
  if (inputs.length < 2) return null;
  return (
    <label className="block">
      <span className="mb-1 block text-[0.8125rem] text-soft">Items of {inputs.join(" and ")}</span>
      <select
        className="input"
        value={node.scatterMethod ?? "dotproduct"}
        onChange={(event) => actions.change({ kind: "scatter", step: node.name, inputs, method: event.target.value })}
      >
        <option value="dotproduct">Pair them in order</option>
        <option value="flat_crossproduct">All combinations, in one list</option>
        <option value="nested_crossproduct">All combinations, in nested lists</option>
      </select>
    </label>
  );
}
