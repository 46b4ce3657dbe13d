import type { ReactNode } from "react";
import { Button } from "./button.tsx";

interface Segment<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** Content after the label, such as a count. */
  readonly note?: ReactNode;
}

interface SegmentsProps<Id extends string> {
  /** The question that the segments answer, for screen readers. */
  readonly label: string;
  readonly options: readonly Segment<Id>[];
  readonly chosen: string;
  readonly onChoose: (id: Id) => void;
}

/** Buttons in one frame, of which one is pressed: a choice among few options that changes the view. */
export function Segments<Id extends string>({ label, options, chosen, onChoose }: SegmentsProps<Id>) {
  return (
    <div
      role="group"
      aria-label={label}
      className="flex w-fit max-w-full overflow-x-auto rounded-lg border border-line bg-surface p-0.5"
    >
      {options.map(({ id, label: text, note }) => (
        <Button look="segment" key={id} aria-pressed={id === chosen} onClick={() => onChoose(id)}>
          {text}
          {note !== undefined && <> {note}</>}
        </Button>
      ))}
    </div>
  );
}
