import type { EventData, EventOf, EventType } from "../events/event.ts";

/** An event for a test whose subject reads only the given fields. */
export function partialEvent<Type extends EventType>(
  type: Type,
  head: Partial<Omit<EventOf<Type>, "type" | "data">> = {},
  data: Partial<EventData<Type>> = {},
): EventOf<Type> {
  const event = { seq: 1, type, time: "2026-11-21T02:02:14.617Z", run_id: "r1", actor: "engine", ...head, data };
  return event as unknown as EventOf<Type>; // the test gives the fields that matter
}
