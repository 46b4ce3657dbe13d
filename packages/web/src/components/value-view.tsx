import type { ReactNode } from "react";
import { isFileValue, isObject, type FileValue } from "../format/value-text.ts";
import { LongList } from "./long-list.tsx";

export interface ValueViewProps {
  readonly value: unknown;
  readonly renderFile: (file: FileValue) => ReactNode;
}

/** A readable CWL value: files as links, long lists folded, records as names and values. */
export function ValueView({ value, renderFile }: ValueViewProps): ReactNode {
  if (value === null || value === undefined) return <span className="text-soft">not set</span>;
  if (isFileValue(value)) return renderFile(value);
  if (Array.isArray(value))
    return (
      <LongList
        values={value}
        renderItem={(item) =>
          Array.isArray(item) ? (
            <div className="mb-1 border-l-2 border-line pl-3">
              <ValueView value={item} renderFile={renderFile} />
            </div>
          ) : (
            <ValueView value={item} renderFile={renderFile} />
          )
        }
      />
    );
  if (isObject(value)) {
    return (
      <ul className="border-l-2 border-line pl-3">
        {Object.entries(value).map(([name, field]) => (
          <li key={name}>
            <span className="text-soft">{name}: </span>
            <ValueView value={field} renderFile={renderFile} />
          </li>
        ))}
      </ul>
    );
  }
  return <span className="whitespace-pre-wrap">{String(value)}</span>;
}
