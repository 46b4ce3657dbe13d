import { useCallback } from "react";
import { useSearchParams } from "react-router-dom";

interface SetParamOptions {
  /** True to replace the history entry instead of adding one, while the user types. */
  readonly replace?: boolean;
}

/** A query parameter as state; "" when absent. Setting it also resets the page of a list and the visible row. */
export function useSearchParam(name: string): readonly [string, (value: string, options?: SetParamOptions) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (value: string, options?: SetParamOptions) =>
      setParams((old) => withParam(old, name, value), { replace: options?.replace ?? false, preventScrollReset: true }),
    [name, setParams],
  );
  return [params.get(name) ?? "", set];
}

function withParam(old: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(old);
  if (name !== "page") next.delete("page");
  if (name !== "row" && name !== "job") next.delete("row");
  if (value === "") next.delete(name);
  else next.set(name, value);
  return next;
}

/**
 * Renders immediately when the URL changes. With transitions, React Router changes the URL first and renders later: a
 * click in between would use parameters of the previous URL, and so undo the change.
 */
export const ROUTER_PROPS = { useTransitions: false } as const;
