import { useEffect, useRef, useState, type ChangeEvent } from "react";

/** A pause in typing after which a text becomes part of the document. */
const PAUSE_MS = 700;

interface Typed {
  readonly text: string;
  /** What the document held when the user left the field. */
  readonly left?: string;
}

/**
 * Properties of a field that shows `shown`, or else what the user typed. Calls `change` after a pause and when the user leaves
 * the field, so that a text also survives a page that is closed.
 */
export function useTyped(shown: string, change: (text: string) => void) {
  const [typed, setTyped] = useState<Typed>();
  // The document has taken the text.
  if (typed?.left !== undefined && typed.left !== shown) setTyped(undefined);
  const isOpen = typed !== undefined && typed.left === undefined;
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setTimeout(() => latest.current(typed.text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isOpen, typed]);
  return {
    value: typed?.text ?? shown,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setTyped({ text: target.value }),
    onBlur: () => {
      if (!isOpen) return;
      change(typed.text);
      setTyped({ text: typed.text, left: shown });
    },
  };
}
