import { useQueryClient } from "@tanstack/react-query";
import type { RunMoment } from "@weft/shared/records/moment-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { momentQuery } from "../../../api/queries/jobs-at.ts";
import { useMoment } from "../../../components/run/use-moment.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { formatClockTime, formatDateTime } from "../../../format/format-time.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Select, Slider } from "../../../ui/field.tsx";
import type { IconName } from "../../../ui/icon.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";

/** A slider over the events of a run, with playback. The page shows the run at the selected event. */
export default function TimeMachine({ run }: { readonly run: Run }) {
  const { moment } = useMoment(run.run_id);
  const { shown, seek } = useSeek(run.run_id, moment);
  const playback = usePlayback(moment, seek);
  if (moment === undefined) return <div role="status" aria-label="Loading" className="mb-3 h-16" />;
  return (
    <section
      aria-label="Time machine"
      className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-[10px] border border-paused/50 bg-paused-soft px-3 py-2"
    >
      <PlaybackControls moment={moment} playback={playback} />
      <Slider
        className="h-8 min-w-48 flex-1 accent-paused"
        aria-label="Event"
        aria-valuetext={`Event ${shown} of ${moment.total}, ${formatDateTime(moment.time)}`}
        min={1}
        max={moment.total}
        value={shown}
        onChange={(event) => {
          playback.pause();
          seek(Number(event.target.value));
        }}
      />
      <p className="min-w-0 leading-tight md:w-80">
        <strong>State as of {formatClockTime(moment.time).slice(0, 8)}</strong>{" "}
        <span className="tabular-nums">
          (event {numberText(shown)} of {numberText(moment.total)})
        </span>
        <EventText moment={moment} />
      </p>
    </section>
  );
}

interface PlaybackControlsProps {
  readonly moment: RunMoment;
  readonly playback: Playback;
}

function PlaybackControls({ moment: { previous_seq, next_seq }, playback }: PlaybackControlsProps) {
  const [, setAt] = useSearchParam("at");
  const goTo = (seq: number | null): void => {
    if (seq !== null) setAt(String(seq), { replace: true });
  };
  return (
    <div className="flex items-center">
      <Tool label="Previous event" icon="stepBack" act={() => goTo(previous_seq)} isOff={previous_seq === null} />
      <Tool
        label={playback.isPlaying ? "Pause playback" : "Play"}
        icon={playback.isPlaying ? "pause" : "play"}
        act={playback.toggle}
      />
      <Tool label="Next event" icon="stepForward" act={() => goTo(next_seq)} isOff={next_seq === null} />
      <Select
        className="ml-1 min-h-8! w-auto py-0 text-small"
        aria-label="Speed"
        value={playback.speed}
        options={SPEEDS.map((id) => ({ id, label: id === 1 ? "1 event/s" : `${id} events/s` }))}
        onChoose={playback.setSpeed}
      />
    </div>
  );
}

function EventText({ moment: { type, step, job_id, sample_id } }: { readonly moment: RunMoment }) {
  const about = [sample_id ?? job_id, step].filter((part) => part !== null && part !== "");
  return (
    <span className="block truncate text-small text-soft">
      {type} {about.join(", ")}
    </span>
  );
}

interface ToolProps {
  readonly label: string;
  readonly icon: IconName;
  readonly act: () => void;
  readonly isOff?: boolean;
}

function Tool({ label, icon, act, isOff = false }: ToolProps) {
  return (
    <IconButton
      label={label}
      icon={icon}
      look="bare"
      title={label}
      aria-disabled={isOff}
      className="flex size-8 items-center justify-center rounded-md hover:bg-surface aria-disabled:opacity-40 max-md:size-11"
      onClick={act}
    />
  );
}

/** Events per second. */
const SPEEDS = [1, 10, 100, 1000] as const;

/** Minimum time between updates of the page. */
const SHORTEST_TICK_MS = 100;

type Playback = ReturnType<typeof usePlayback>;

/** Advances through the events at a given rate up to the last; playing again from there restarts at the first. */
function usePlayback(moment: RunMoment | undefined, seek: (number: number) => void) {
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

/**
 * Moves to events by their number. The slider follows at once; one request at a time finds the event and puts it into
 * the URL, and the latest target comes next.
 */
function useSeek(runId: string, moment: RunMoment | undefined) {
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
        cache.setQueryData(momentQuery(runId, { at: found.seq }).queryKey, found);
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
