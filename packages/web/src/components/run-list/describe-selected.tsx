import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DescribeRuns, RunSummary } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { invalidateRoutes } from "../../api/route-query.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Button } from "../../ui/button.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { showError, showToast } from "../../ui/toast.tsx";

const TagDialog = onDemand(() => import("./tag-dialog.tsx"));

export type RunsChange = Omit<DescribeRuns, "run_ids">;

interface DescribeSelectedProps {
  readonly selected: readonly RunSummary[];
  readonly onDone: () => void;
}

/** Pins, archives and tags the selected runs. */
export function DescribeSelected({ selected, onDone }: DescribeSelectedProps) {
  const [isTagging, setIsTagging] = useState(false);
  const change = useChangeRuns(selected, onDone);
  const isPinned = selected.every(({ pinned }) => pinned);
  const isArchived = selected.every(({ archived }) => archived);
  const areFinal = selected.every(({ state }) => STATE_LOOKS[state].final);
  return (
    <>
      <Button disabled={change.isPending} onClick={() => change.mutate({ pinned: !isPinned })}>
        {isPinned ? "Unpin" : "Pin"}
      </Button>
      <Button disabled={change.isPending} onClick={() => setIsTagging(true)}>
        Tags…
      </Button>
      {(areFinal || isArchived) && (
        <Button disabled={change.isPending} onClick={() => change.mutate({ archived: !isArchived })}>
          {isArchived ? "Unarchive" : "Archive"}
        </Button>
      )}
      {isTagging && (
        <TagDialog
          selected={selected}
          pending={change.isPending}
          onChange={(wanted) => change.mutate(wanted)}
          onClose={() => setIsTagging(false)}
        />
      )}
    </>
  );
}

function useChangeRuns(selected: readonly RunSummary[], onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (change: RunsChange) =>
      api("POST /api/runs/describe", { body: { run_ids: selected.map(({ run_id }) => run_id), ...change } }),
    onSuccess: ({ changed, refused }) => {
      const [first] = refused;
      if (first === undefined) showToast(`Changed ${countText(changed, "run")}`);
      else showError(`${countText(refused.length, "run")} could not be changed: ${first.detail}`);
      void invalidateRoutes(cache, "GET /api/runs/{run_id}", "GET /api/runs", "GET /api/server");
      onDone();
    },
    onError: (error) => showError(`The runs were not changed: ${error.message}`),
  });
}
