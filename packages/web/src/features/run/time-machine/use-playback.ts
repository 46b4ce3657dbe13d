import type { RunMoment } from "@weft/shared/records/moment-record.ts";
import { useEffect, useEffectEvent, useState } from "react";

/** Events per second. */
export const SPEEDS = [1, 10, 100, 1000] as const;
/** Minimum time between updates of the page. */
const SHORTEST_TICK_MS = 100;

export type Playback = ReturnType<typeof usePlayback>;

/** Advances through the events at a given rate up to the last; playing again from there restarts at the first. */
export function usePlayback(moment: RunMoment | undefined, seek: (number: number) => void) {
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(10);
  const step = Math.max(1, Math.round((speed * SHORTEST_TICK_MS) / 1000));
  const advance = useEffectEvent(() => {
    if (moment === undefined) return;
    if (moment.number >= moment.total) setPlaying(false);
    else seek(Math.min(moment.total, moment.number + step));
  });
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => advance(), Math.max(SHORTEST_TICK_MS, 1000 / speed));
    return () => clearInterval(timer);
  }, [isPlaying, speed]);
  const toggle = (): void => {
    if (!isPlaying && moment !== undefined && moment.number >= moment.total) seek(1);
    setPlaying(!isPlaying);
  };
  return { isPlaying, speed, setSpeed, toggle, pause: () => setPlaying(false) };
}
