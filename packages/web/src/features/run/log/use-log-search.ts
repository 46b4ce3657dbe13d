import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { streamLog, type LogSource } from "../../../api/job-log-query.ts";
import { LineSearch } from "./search-lines.ts";

const PAUSE_MS = 250;

export interface LogSearchResult {
  /** Line numbers, from 0; undefined without a search or while it is running. */
  readonly matches: readonly number[] | undefined;
  readonly isSearching: boolean;
}

/** Searches a log when typing pauses, without keeping its text. */
export function useLogSearch(source: LogSource, from: number, q: string): LogSearchResult {
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(q.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [q]);
  const found = useQuery({
    queryKey: ["job-log-search", source.runId, source.jobId, source.stream, from, asked],
    queryFn: ({ signal }) => searchLog(source, from, { q: asked, signal }),
    enabled: asked !== "",
    gcTime: 10_000,
    structuralSharing: false,
  });
  return { matches: asked === "" ? undefined : found.data, isSearching: asked !== "" && found.isFetching };
}

async function searchLog(
  source: LogSource,
  from: number,
  { q, signal }: { readonly q: string; readonly signal: AbortSignal },
): Promise<readonly number[]> {
  const search = new LineSearch(q);
  const decoder = new TextDecoder();
  await streamLog(
    source,
    { from },
    { signal, onBytes: (bytes) => search.push(decoder.decode(bytes, { stream: true })) },
  );
  search.push(decoder.decode());
  search.end();
  return search.matches;
}
