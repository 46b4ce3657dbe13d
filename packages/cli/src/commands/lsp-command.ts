import { serveLanguage } from "../language-server/serve-language.ts";
import { EXIT } from "../exit/exit-codes.ts";

/** Serves an editor on standard input and output. */
export async function lspCommand(): Promise<number> {
  await serveLanguage();
  return EXIT.success;
}
