import { useState } from "react";
import { isObject } from "../../format/value-text.ts";
import { CodeBlock } from "../../ui/code-block.tsx";

export interface JsonTreeProps {
  readonly name: string;
  readonly value: unknown;
}

/** Maximum number of drawn entries of one list or object; a file may have very many. */
const SHOWN = 100;
/** Depth to which everything is expanded at first. */
const OPEN_DEPTH = 2;

/** A JSON value as a tree or as text. */
export function JsonTree({ name, value }: JsonTreeProps) {
  const [asText, setAsText] = useState(false);
  return (
    <>
      {asText ? (
        <CodeBlock label={name} text={JSON.stringify(value, null, 2)} />
      ) : (
        <div tabIndex={0} role="region" aria-label={name} className="card code max-h-96 overflow-auto px-3 py-2">
          <JsonNode label="" value={value} depth={0} />
        </div>
      )}
      <button type="button" className="btn btn-quiet btn-small mt-1" onClick={() => setAsText(!asText)}>
        {asText ? "Show as tree" : "Show as text"}
      </button>
    </>
  );
}

interface JsonNodeProps {
  readonly label: string;
  readonly value: unknown;
  readonly depth: number;
}

function JsonNode({ label, value, depth }: JsonNodeProps) {
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH);
  const name = label === "" ? "" : `${label}: `;
  if (typeof value !== "object" || value === null)
    return (
      <p className="wrap-anywhere">
        <span className="text-soft">{name}</span>
        {JSON.stringify(value)}
      </p>
    );
  const entries = Object.entries(value);
  const size = isObject(value) ? `{${entries.length}}` : `[${entries.length}]`;
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer">
        <span className="text-soft">{name}</span>
        {size}
      </summary>
      {isOpen && (
        <ul className="border-l border-line pl-3">
          {entries.slice(0, SHOWN).map(([key, part]) => (
            <li key={key}>
              <JsonNode label={key} value={part} depth={depth + 1} />
            </li>
          ))}
          {entries.length > SHOWN && <li className="text-soft">… {entries.length - SHOWN} more</li>}
        </ul>
      )}
    </details>
  );
}
