import { type ReactNode, useState } from "react";
import { numberText } from "@weft/shared/text/count-text.ts";
import { type FileValue, isFileValue, isObject } from "../format/value-text.ts";
import { Button } from "../ui/button.tsx";

export interface ValueViewProps {
  readonly value: unknown;
  readonly renderFile: (file: FileValue) => ReactNode;
}

const FIRST = 5;
const MORE = 100;

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

interface LongListProps {
  readonly values: readonly unknown[];
  readonly renderItem: (value: unknown, place: number) => ReactNode;
}

/** The first items of a list, and more on request: hidden items are not on the page. */
export function LongList({ values, renderItem }: LongListProps) {
  const [shown, setShown] = useState(FIRST);
  if (values.length === 0) return <span className="text-soft">empty list</span>;
  const left = values.length - shown;
  return (
    <>
      <ul>
        {values.slice(0, shown).map((value, place) => (
          <li key={place}>{renderItem(value, place)}</li>
        ))}
      </ul>
      {left > 0 && (
        <Button look="link" className="text-small" onClick={() => setShown(shown + MORE)}>
          {left <= MORE ? `Show ${left} more` : `Show ${MORE} of ${numberText(left)} more`}
        </Button>
      )}
    </>
  );
}
