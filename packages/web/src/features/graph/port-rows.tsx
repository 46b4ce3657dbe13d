import { PORT_ROW, type PlacedPort, type PlacedPorts } from "@weft/shared/drawing/place-ports.ts";

/** The names of a step's ports in two columns, at the places of their dots. */
export function PortRows({ ports }: { readonly ports: PlacedPorts }) {
  return (
    <span className="grid min-h-0 flex-1 grid-cols-2 gap-2 border-t border-line text-[13px]">
      <Column title="Inputs" ports={ports.inputs} hidden={ports.hiddenInputs} />
      <Column title="Outputs" ports={ports.outputs} hidden={ports.hiddenOutputs} />
    </span>
  );
}

interface ColumnProps {
  readonly title: "Inputs" | "Outputs";
  readonly ports: readonly PlacedPort[];
  readonly hidden: number;
}

function Column({ title, ports, hidden }: ColumnProps) {
  const row = `block truncate ${title === "Outputs" ? "text-right" : ""}`;
  const style = { height: PORT_ROW, lineHeight: `${PORT_ROW}px` };
  return (
    <span className="min-w-0">
      {ports.length > 0 && <span className="sr-only">{title}: </span>}
      {ports.map(({ name, typeText, isMissing }) => (
        <span key={name} className={row} style={style} title={`${name}: ${typeText}`}>
          <span className={isMissing ? "font-semibold text-failed" : ""}>{name}</span>
          {isMissing && <span className="sr-only"> (not connected)</span>}
          <span className="sr-only">, </span>
        </span>
      ))}
      {hidden > 0 && (
        <span className={`${row} text-soft`} style={style}>
          {hidden} more
        </span>
      )}
    </span>
  );
}
