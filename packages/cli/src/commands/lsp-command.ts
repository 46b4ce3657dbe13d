import { serveLanguage } from "../language-server/serve-language.ts";
import type { Settings } from "../settings/read-settings.ts";
import { EXIT } from "../exit/exit.ts";

/** Serves an editor on standard input and output. */
export async function lspCommand({ io }: Settings): Promise<number> {
  await serveLanguage(io);
  return EXIT.success;
}
