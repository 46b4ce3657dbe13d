import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { useSyncExternalStore } from "react";
import { Icon } from "../../ui/icon.tsx";
import { useFormStore } from "./fields/form-context.ts";
import { missingInputs } from "./model/check-value.ts";
import type { RunRequests } from "./use-run-requests.ts";

export interface FormButtonsProps {
  readonly requests: RunRequests;
  readonly inputs: readonly InputRecord[];
}

/** Start and Preview, always visible, with the missing inputs. */
export function FormButtons({ requests, inputs }: FormButtonsProps) {
  const store = useFormStore();
  const values = useSyncExternalStore(store.subscribe, store.values);
  const missing = missingInputs(inputs, values);
  return (
    <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center gap-2 border-t border-line bg-canvas px-1 py-3">
      <button type="submit" className="btn btn-primary" disabled={requests.isStarting}>
        <Icon name="play" /> {requests.isStarting ? "Starting…" : "Start run"}
      </button>
      <button type="button" className="btn" disabled={requests.isPlanning} onClick={requests.plan}>
        {requests.isPlanning ? "Loading preview…" : "Preview"}
      </button>
      <span className="text-[0.8125rem] text-soft">
        {missing.length === 0
          ? "Preview shows what would run, without starting it."
          : `${missing.length} required ${missing.length === 1 ? "input is" : "inputs are"} missing: ${shownIds(missing)}`}
      </span>
    </div>
  );
}

const SHOWN = 4;

function shownIds(ids: readonly string[]): string {
  return ids.length <= SHOWN ? ids.join(", ") : `${ids.slice(0, SHOWN).join(", ")} and ${ids.length - SHOWN} more`;
}
