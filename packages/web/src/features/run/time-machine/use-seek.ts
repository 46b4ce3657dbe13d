import { useQueryClient } from "@tanstack/react-query";
import type { RunMoment } from "@weft/shared/records/moment-record.ts";
import { useEffect, useRef, useState } from "react";
import { momentKey, momentQuery } from "../../../api/moment-queries.ts";
import { useSearchParam } from "../../../ui/use-search-param.ts";

/**
 * Moves to events by their number. The slider follows at once; one request at a time finds the event and puts it into
 * the URL, and the latest target comes next.
 */
export function useSeek(runId: string, moment: RunMoment | undefined) {
  const cache = useQueryClient();
  const [, setAt] = useSearchParam("at");
  const [wanted, setWanted] = useState<number | undefined>(undefined);
  const next = useRef<number | undefined>(undefined);
  const isBusy = useRef(false);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const run = async (): Promise<void> => {
    isBusy.current = true;
    try {
      while (next.current !== undefined && !isGone.current) {
        const number = next.current;
        next.current = undefined;
        // Each request waits for the previous response.
        // eslint-disable-next-line no-await-in-loop
        const found = await cache.fetchQuery(momentQuery(runId, { number }));
        if (isGone.current) return;
        cache.setQueryData(momentKey(runId, { at: found.seq }), found);
        setAt(String(found.seq), { replace: true });
      }
    } finally {
      isBusy.current = false;
      setWanted(undefined);
    }
  };
  const seek = (number: number): void => {
    setWanted(number);
    next.current = number;
    if (!isBusy.current) void run();
  };
  return { shown: wanted ?? moment?.number ?? 1, seek };
}
