import { basePath } from "./base-path.ts";
import { api } from "./client.ts";

export type ShutdownMode = "drain" | "detach" | "cancel";

/** Asks the server to stop: `drain` waits for running runs, `detach` leaves their jobs running, `cancel` aborts them. */
export async function shutDown(mode: ShutdownMode): Promise<void> {
  await api("POST /shutdown", { body: { mode, confirm: "shutdown" } });
}

/** Whether anything answers at this address. */
export async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(`${basePath}/healthz`, { cache: "no-store" })).ok;
  } catch {
    return false; // refused connection: the server is gone
  }
}
