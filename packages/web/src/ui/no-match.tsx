import { useSearchParams } from "react-router-dom";
import { EmptyState } from "./empty-state.tsx";

export interface NoMatchProps {
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
      <button type="button" className="btn" onClick={clear}>
        {filters.length === 1 ? "Clear the search" : "Clear the filters"}
      </button>
    </EmptyState>
  );
}
