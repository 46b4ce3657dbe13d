import { api } from "./client.ts";

export type ShutdownMode = "drain" | "detach" | "cancel";

/** Asks the server to stop: `drain` waits for running runs, `detach` leaves their jobs running, `cancel` aborts them. */
export async function shutDown(mode: ShutdownMode): Promise<void> {
  await api("POST /shutdown", { body: { mode, confirm: "shutdown" } });
}
