import { basePath } from "./base-path.ts";

/** Whether anything answers at this address. */
export async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(`${basePath}/healthz`, { cache: "no-store" })).ok;
  } catch {
    return false; // refused connection: the server is gone
  }
}
