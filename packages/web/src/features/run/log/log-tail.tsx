import type { LogSource } from "../../../api/job-log-query.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { LogLines, type LogPlace } from "./log-lines.tsx";
import { useLogReader } from "./use-log-reader.ts";

/** Number of bytes at the end that are loaded first. */
export const TAIL_BYTES = 256 * 1024;

export interface LogTailProps {
  readonly source: LogSource;
  readonly sizeBytes: number;
  readonly live: boolean;
  readonly isWrapped: boolean;
  readonly onPlace: (place: LogPlace) => void;
}

/** The end of a long log, shown while the index of the rest is loading. */
export function LogTail({ source, sizeBytes, live, isWrapped, onPlace }: LogTailProps) {
  const { reader, state } = useLogReader(source, sizeBytes - TAIL_BYTES, live);
  if (state.lines === 0) return <Skeleton rows={8} />;
  return (
    <LogLines
      reader={reader}
      state={state}
      live={live}
      linked={undefined}
      found={undefined}
      numbered={false}
      isWrapped={isWrapped}
      onPlace={onPlace}
    />
  );
}
