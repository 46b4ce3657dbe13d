import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The file that names the process which has locked the state folder; the engine writes it immediately after locking. */
const HOLDER = "holder.txt";
const ADDRESS = "address.txt";

/** Records the address for commands that send requests to the server that holds a state folder. */
export async function recordAddress(stateFolder: string, address: string): Promise<void> {
  await writeFile(join(stateFolder, ADDRESS), `${process.pid} ${address}\n`, { mode: 0o600 });
}

/**
 * Address of the server that holds the folder. Undefined until the server listens: the address of an earlier one is
 * ignored, because another program may listen there by now.
 */
export async function recordedAddress(stateFolder: string): Promise<string | undefined> {
  const [pid, address] = (await read(join(stateFolder, ADDRESS))).split(" ");
  return pid === (await read(join(stateFolder, HOLDER))) ? address : undefined;
}

async function read(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.trim();
}
