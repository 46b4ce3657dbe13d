import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../bench/serving.mjs";

/** Calls `act` with a server on the shipped catalog and an empty folder. */
export async function withServer(act) {
  const folder = mkdtempSync(join(tmpdir(), "weft-interop-"));
  const server = await startServer(["--state", join(folder, "state")]);
  try {
    return await act(server, folder);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
