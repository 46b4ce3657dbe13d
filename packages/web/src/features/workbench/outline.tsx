import { EmptyState } from "../../ui/empty-state.tsx";
import type { OutlineEntry } from "./language/document-language.ts";
import { Button } from "../../ui/button.tsx";

const KINDS: { readonly [kind in OutlineEntry["kind"]]: string } = {
  process: "",
  input: "input",
  step: "step",
  output: "output",
};

interface OutlineProps {
  readonly entries: readonly OutlineEntry[];
  readonly onShow: (offset: number) => void;
}

/** The inputs, steps and outputs of a document; each leads to its place in the text. */
export function Outline({ entries, onShow }: OutlineProps) {
  if (entries.length === 0) return <EmptyState text="The text has errors and has no outline." />;
  return (
    <div className="card max-h-[70vh] overflow-y-auto p-3">
      <Entries entries={entries} onShow={onShow} className="space-y-1 font-medium" />
    </div>
  );
}

function Entries({ entries, onShow, className }: OutlineProps & { readonly className: string }) {
  return (
    <ul className={className}>
      {entries.map((entry) => (
        <li key={`${entry.kind} ${entry.name} ${entry.from}`}>
          <Button
            look="bare"
            className="flex min-h-8 w-full items-baseline gap-2 rounded px-2 text-left hover:bg-accent-soft"
            onClick={() => onShow(entry.from)}
          >
            {entry.name}{" "}
            <span className="text-small font-normal text-soft">
              {KINDS[entry.kind]} {entry.detail}
            </span>
          </Button>
          {entry.children.length > 0 && (
            <Entries entries={entry.children} onShow={onShow} className="ml-4 font-normal" />
          )}
        </li>
      ))}
    </ul>
  );
}
