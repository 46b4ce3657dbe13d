import { inferTool } from "@weft/language/wrap/infer-tool.ts";
import { parseHelp } from "@weft/language/wrap/parse-help.ts";
import { splitCommand } from "@weft/language/wrap/split-command.ts";
import { writeTool } from "@weft/language/wrap/write-tool.ts";

interface CommandSource {
  /** The ID of the tool, which becomes its label in words. */
  readonly id: string;
  readonly line: string;
  /** The help text of the program. */
  readonly help: string;
}

/**
 * The text of a tool that runs a command line. Missing facts of the command line and its program's help are assumed,
 * and written into comments below the first line. Rejects with CommandProblem for anything but a single command.
 */
export async function toolFromCommand({ id, line, help }: CommandSource): Promise<string> {
  const assumed: string[] = [];
  const tool = await inferTool(splitCommand(line), {
    options: parseHelp(help),
    helpText: help,
    kindOf: () => undefined,
    decide: async ({ question, choices, likely }) => {
      assumed.push(`# ${question} Assumed: ${choices[likely]}.\n`.replaceAll(/\s*\n\s*(?=.)/g, " "));
      return likely;
    },
  });
  const text = writeTool(tool, {
    ...{ command: line, label: sentenceOf(id), summary: undefined, software: undefined, image: undefined },
  });
  const [interpreter = "", ...lines] = text.split("\n"); // which must stay the first line
  return `${interpreter}\n${assumed.join("")}${lines.join("\n")}`;
}

/** `first-lines` in words: "First lines" */
function sentenceOf(id: string): string {
  const words = id.replaceAll(/[-_.]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
