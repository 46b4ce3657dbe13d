import { useEffect, useEffectEvent, useState } from "react";
import { spanText, type Span } from "./span-text.ts";
import type { TimeView } from "./time-view.ts";

export interface ChosenViewOptions {
  readonly whole: TimeView;
  /** The time span in the URL; a new one replaces the user's view. */
  readonly span: Span | undefined;
  /** Called when the view has settled; the span is relative to the beginning of the whole. */
  readonly onSpan: (span: Span | undefined) => void;
}

/** Delay after the last movement before the URL updates. */
const REST_MS = 300;

/** The view set by the user or the URL; undefined for the whole. */
export function useChosenView({ whole, span, onSpan }: ChosenViewOptions) {
  const [chosen, setChosen] = useState(() => viewOfSpan(whole, span));
  const named = spanText(span);
  const [seen, setSeen] = useState(named);
  if (named !== seen) {
    setSeen(named);
    if (named !== spanText(spanOfView(whole, chosen))) setChosen(viewOfSpan(whole, span));
  }
  const tell = useEffectEvent((view: TimeView | undefined) => {
    const next = spanOfView(whole, view);
    if (spanText(next) !== named) onSpan(next);
  });
  useEffect(() => {
    const timer = setTimeout(() => tell(chosen), REST_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  return [chosen, setChosen] as const;
}

function viewOfSpan(whole: TimeView, span: Span | undefined): TimeView | undefined {
  return span && { ...whole, fromMs: whole.fromMs + span.fromMs, toMs: whole.fromMs + span.toMs };
}

/** Undefined also if only the rows are zoomed. */
function spanOfView(whole: TimeView, view: TimeView | undefined): Span | undefined {
  if (view === undefined || (view.fromMs === whole.fromMs && view.toMs === whole.toMs)) return undefined;
  return { fromMs: view.fromMs - whole.fromMs, toMs: view.toMs - whole.fromMs };
}
