import { useMutationState } from "@tanstack/react-query";
import { publishingKey } from "../api/draft-queries.ts";

/** Whether this page publishes a draft or group, or has just done so: then nothing asks for it, as it is gone. */
export function useIsPublished(id: string): boolean {
  const filters = { mutationKey: publishingKey(id) };
  const states = useMutationState({ filters, select: ({ state }) => state.status });
  return states.some((status) => status === "pending" || status === "success");
}
