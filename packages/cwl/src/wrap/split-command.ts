import type { CommandWords } from "./infer-tool.ts";

/** A command line that a tool cannot be made from; the message says why. */
export class CommandProblem extends Error {}

const TOKEN = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|(\d?>>?|<)|([|&;`])|\\(.)|([^\s"'<>|&;`\\]+)/gsy;

/** The words of a simple shell command and its redirections. Throws CommandProblem for pipes and lists of commands. */
export function splitCommand(text: string): CommandWords {
  const words: string[] = [];
  const targets: { stdin: string | undefined; stdout: string | undefined } = { stdin: undefined, stdout: undefined };
  let word: string | undefined;
  let redirect: string | undefined;
  const end = () => {
    if (word === undefined) return;
    if (redirect === "<") targets.stdin = word;
    else if (redirect === ">" || redirect === "1>") targets.stdout = word;
    else if (redirect === undefined) words.push(word);
    [word, redirect] = [undefined, undefined];
  };
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) throw new CommandProblem("the command line has a quotation mark that is not closed");
    const [all, double, single, arrow, control, escaped, plain] = match;
    if (control !== undefined)
      throw new CommandProblem(`wrap takes one command, without ${control}; make a network of several tools`);
    if (arrow !== undefined) {
      end();
      redirect = arrow;
    } else if (/^\s+$/.test(all)) end();
    else word = (word ?? "") + (double?.replaceAll(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? plain ?? "");
  }
  end();
  if (words.length === 0) throw new CommandProblem("the command line is empty");
  return { words, ...targets };
}
