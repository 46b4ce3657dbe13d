import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo } from "react";
import { useFollowEnd } from "../../ui/use-follow-end.ts";
import { AnsiLine } from "./ansi-text.tsx";

const LINE_PX = 20;

export interface LogViewProps {
  readonly label: string;
  readonly text: string;
  /** More may come: the view can follow the end. */
  readonly live: boolean;
}

/** Lines of a log, only the visible ones drawn. It follows the end until the reader scrolls up. */
export function LogView({ label, text, live }: LogViewProps) {
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n"), [text]);
  const { box, following, follow, onScroll } = useFollowEnd();
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  });
  if (text === "")
    return (
      <p className="card px-4 py-6 text-soft">{live ? "Nothing was written yet." : "Nothing was written here."}</p>
    );
  return (
    <div className="relative">
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={label}
        className="card code max-h-[min(36rem,70vh)] overflow-auto py-1"
        onScroll={onScroll}
      >
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => (
            <LogLine key={item.key} number={item.index + 1} line={lines[item.index] ?? ""} top={item.start} />
          ))}
        </div>
      </div>
      {!following && (
        <button type="button" className="btn btn-primary btn-small absolute right-5 bottom-4" onClick={follow}>
          {live ? "Follow the end" : "To the end"}
        </button>
      )}
    </div>
  );
}

function LogLine({ number, line, top }: { readonly number: number; readonly line: string; readonly top: number }) {
  return (
    <div
      className="absolute left-0 flex min-w-full whitespace-pre hover:bg-sunken"
      style={{ top, height: LINE_PX, lineHeight: `${LINE_PX}px` }}
    >
      <span aria-hidden="true" className="sticky left-0 w-14 shrink-0 bg-surface pr-3 text-right text-soft select-none">
        {number}
      </span>
      <span className="pr-4">
        <AnsiLine line={line} />
      </span>
    </div>
  );
}
