import { useSearchParams } from "react-router-dom";
import { EmptyState } from "./empty-state.tsx";

export interface NoMatchProps {
  /** Names what was looked for and not found. */
  readonly text: string;
  /** The parts of the URL that narrow the list. */
  readonly filters: readonly string[];
}

/** A list in which nothing fits what was asked for, with the way back to all of it. */
export function NoMatch({ text, filters }: NoMatchProps) {
  const [, setParams] = useSearchParams();
  const clear = (): void =>
    setParams((old) => new URLSearchParams([...old].filter(([name]) => name !== "page" && !filters.includes(name))), {
      preventScrollReset: true,
    });
  return (
    <EmptyState text={text}>
      <button type="button" className="btn" onClick={clear}>
        {filters.length === 1 ? "Clear the search" : "Clear the filters"}
      </button>
    </EmptyState>
  );
}
