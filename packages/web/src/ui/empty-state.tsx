import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { Button } from "./button.tsx";

/** Explains an empty list and offers the next action. */
export function EmptyState({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="card flex flex-col items-center gap-3 px-4 py-10 text-center">
      <svg
        viewBox="0 0 48 32"
        className="h-8 w-12 text-edge"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M4 8h40M4 16h40M4 24h40" opacity="0.4" />
        <path d="M12 4v24M24 4v24M36 4v24" strokeDasharray="6 4" />
      </svg>
      <p className="max-w-prose text-soft">{text}</p>
      {children}
    </div>
  );
}

interface NoMatchProps {
  /** Message that names the search. */
  readonly text: string;
  /** The query parameters that filter the list. */
  readonly filters: readonly string[];
}

/** An empty list after filtering, with a button that clears the filters. */
export function NoMatch({ text, filters }: NoMatchProps) {
  const [, setParams] = useSearchParams();
  const clear = (): void =>
    setParams((old) => new URLSearchParams([...old].filter(([name]) => name !== "page" && !filters.includes(name))), {
      preventScrollReset: true,
    });
  return (
    <EmptyState text={text}>
      <Button onClick={clear}>{filters.length === 1 ? "Clear the search" : "Clear the filters"}</Button>
    </EmptyState>
  );
}
