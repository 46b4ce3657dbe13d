import { useState, type ReactNode } from "react";
import { numberText } from "../format/count-text.ts";

const FIRST = 5;
const MORE = 100;

export interface LongListProps {
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
        <button type="button" className="link text-[0.8125rem]" onClick={() => setShown(shown + MORE)}>
          {left <= MORE ? `Show ${left} more` : `Show ${MORE} of ${numberText(left)} more`}
        </button>
      )}
    </>
  );
}
