import { useCallback } from "react";
import { useSearchParams } from "react-router-dom";

export interface SetParamOptions {
  /** For typing: the browser's history keeps one entry. */
  readonly replace?: boolean;
}

/** One part of the URL as state; "" when absent. Setting "" removes it, and the page of a list or the row in sight with it. */
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
