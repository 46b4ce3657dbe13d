import type { ReactNode } from "react";
import { isFileValue, isObject, type FileValue } from "../format/value-text.ts";

const SHOWN = 5;

export interface ValueViewProps {
  readonly value: unknown;
  readonly renderFile: (file: FileValue) => ReactNode;
}

/** A CWL value for people: files as links, long lists folded, records as names and values. */
export function ValueView({ value, renderFile }: ValueViewProps): ReactNode {
  if (value === null || value === undefined) return <span className="text-soft">not set</span>;
  if (isFileValue(value)) return renderFile(value);
  if (Array.isArray(value)) return <ListView values={value} renderFile={renderFile} />;
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

function ListView({
  values,
  renderFile,
}: {
  readonly values: readonly unknown[];
  readonly renderFile: (file: FileValue) => ReactNode;
}) {
  if (values.length === 0) return <span className="text-soft">empty list</span>;
  const items = values.map((value, place) => (
    <li key={place}>
      <ValueView value={value} renderFile={renderFile} />
    </li>
  ));
  if (values.length <= SHOWN) return <ul>{items}</ul>;
  return (
    <>
      <ul>{items.slice(0, SHOWN)}</ul>
      <details>
        <summary className="cursor-pointer text-soft">{values.length - SHOWN} more</summary>
        <ul>{items.slice(SHOWN)}</ul>
      </details>
    </>
  );
}
