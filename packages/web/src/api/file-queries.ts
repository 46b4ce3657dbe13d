import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "@weft/shared/routes/client.ts";
import { api } from "./client.ts";

/** Entries of a data folder; "" for the data folders themselves. */
export function browseQuery(location: string, pageToken: string) {
  return queryOptions({
    queryKey: ["browse", location, pageToken] as const,
    queryFn: ({ signal }) =>
      api("GET /api/files", {
        query: { location: location || undefined, page_size: 200, page_token: pageToken || undefined },
        signal,
      }),
  });
}

export interface TextHead {
  readonly text: string;
  readonly truncated: boolean;
}

/** The first `maxBytes` of a text file of a run. `url` belongs to this server. */
export function textHeadQuery(url: string, maxBytes: number) {
  return queryOptions({
    queryKey: ["text-head", url, maxBytes] as const,
    queryFn: ({ signal }) => readHead(url, maxBytes, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function readHead(url: string, maxBytes: number, signal: AbortSignal): Promise<TextHead> {
  const response = await fetch(url, { headers: { range: `bytes=0-${maxBytes - 1}` }, signal });
  if (response.status === 416) return { text: "", truncated: false }; // an empty file has no first byte
  if (!response.ok) throw new ApiError(response.status, undefined);
  const total = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? 0);
  return { text: await response.text(), truncated: total > maxBytes };
}
