import { z } from "zod";

/** The query parameter `?state=RUNNING,QUEUED`, which selects any of these states. */
export function statesQuery<State extends string>(states: readonly [State, ...State[]]) {
  return z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(states)))
    .optional()
    .meta({ description: `One state or several, separated by commas: ${states.join(", ")}`, type: "string" });
}
