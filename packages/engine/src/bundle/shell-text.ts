import { quoteForShell } from "@weft/cwl/command/quote-for-shell.ts";

/**
 * Text for a script that runs elsewhere. Marks represent the bundle's folder, the job's folder and the image, which are
 * known only there. Marks contain NUL, which no path or argument can contain.
 */
export const BUNDLE = "\0bundle\0";
export const JOB = "\0job\0";
export const IMAGE = "\0image\0";

/** One word of a POSIX shell; marks become the variables of the same name. */
export function shellWord(text: string): string {
  if (text === "") return "''";
  return text
    .split(/\0(bundle|job|image)\0/)
    .map((part, index) => (index % 2 === 1 ? `"$${part}"` : part === "" ? "" : quoteForShell(part)))
    .join("");
}
