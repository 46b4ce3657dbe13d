import type { CommandWords } from "./infer-tool.ts";

/** A command line that a tool cannot be made from; the message says why. */
export class CommandProblem extends Error {}

const TOKEN =
  /(\\\r?\n|(?<!\S)#[^\n]*)|(\s+)|"((?:[^"\\]|\\.)*)"|'([^']*)'|(\d?>>?|<)|([|&;`])|\\(.)|([^\s"'<>|&;`\\]+)/gsy;

/**
 * The words of a simple shell command and its redirections, without comments. Throws CommandProblem for pipes and lists of
 * commands.
 */
export function splitCommand(text: string): CommandWords {
  const words: string[] = [];
  const targets: { stdin: string | undefined; stdout: string | undefined } = { stdin: undefined, stdout: undefined };
  let word: string | undefined;
  let redirect: string | undefined;
  let isOver = false;
  const end = () => {
    if (word === undefined) return;
    if (isOver) throw several("a second line");
    if (redirect === "<") targets.stdin = word;
    else if (redirect === ">" || redirect === "1>") targets.stdout = word;
    else if (redirect === undefined) words.push(word);
    [word, redirect] = [undefined, undefined];
  };
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) throw new CommandProblem("the command line has a quotation mark that is not closed");
    const [, ignored, space, double, single, arrow, control, escaped, plain] = match;
    if (ignored !== undefined) continue;
    if (control !== undefined) throw several(control);
    if (arrow !== undefined) {
      end();
      redirect = arrow;
    } else if (space !== undefined) {
      end();
      isOver ||= words.length > 0 && redirect === undefined && space.includes("\n");
    } else word = (word ?? "") + (double?.replaceAll(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? plain ?? "");
  }
  end();
  if (words.length === 0) throw new CommandProblem("the command line is empty");
  return { words, ...targets };
}

function several(sign: string): CommandProblem {
  return new CommandProblem(`a tool runs one command, without ${sign}; make a network of several tools`);
}
