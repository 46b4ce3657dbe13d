/** Actions of the tests for the fenced blocks of a page, in order. */
export type Example =
  | { readonly kind: "file"; readonly line: number; readonly path: string; readonly text: string }
  | Command
  | { readonly kind: "not-run"; readonly line: number; readonly reason: string };

export interface Command {
  readonly kind: "command";
  readonly line: number;
  readonly text: string;
  readonly exit: number;
  /** The block starts a server: the next block runs when this URL answers. */
  readonly background: string | undefined;
  /** Expected output. `…` is any text within a line, and any number of lines if it is a line of its own. */
  readonly output: string | undefined;
}

interface Fence {
  readonly line: number;
  readonly language: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

const ATTRIBUTES = new Set(["title", "not-run", "background", "exit"]);

/**
 * Reads the examples of a page: `sh` blocks are commands, `output` blocks what the commands before them print, and blocks
 * with `title="PATH"` are files. `not-run="REASON"` marks commands that no test can execute. Throws for other blocks.
 */
export function readExamples(markdown: string): readonly Example[] {
  const examples: Example[] = [];
  for (const fence of fencesOf(markdown)) {
    if (fence.language === "output") {
      const last = examples.pop();
      if (last?.kind !== "command" || last.output !== undefined)
        throw new Error(`line ${fence.line}: no command before this output`);
      examples.push({ ...last, output: fence.text });
    } else examples.push(...exampleOf(fence));
  }
  return examples;
}

function exampleOf({ line, language, attributes, text }: Fence): readonly Example[] {
  const unknown = Object.keys(attributes).filter((name) => !ATTRIBUTES.has(name));
  if (unknown.length > 0) throw new Error(`line ${line}: unknown attribute ${unknown.join(", ")}`);
  const { title, background, exit = "0", "not-run": reason } = attributes;
  if (title !== undefined) return [{ kind: "file", line, path: title, text: `${text}\n` }];
  if (language === "sh" && reason !== undefined) return [{ kind: "not-run", line, reason }];
  if (language === "sh") return [{ kind: "command", line, text, exit: Number(exit), background, output: undefined }];
  if (language === "") throw new Error(`line ${line}: a block without a language`);
  if (/^(npx |npm |weft |curl )/m.test(text)) throw new Error(`line ${line}: commands belong in a block of sh`);
  return [];
}

function fencesOf(markdown: string): readonly Fence[] {
  return [...markdown.matchAll(/^```(\w*)(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = "", rest = "", text = ""] = match;
    const pairs = rest.matchAll(/([\w-]+)="([^"]*)"/g);
    return {
      line: markdown.slice(0, match.index).split("\n").length,
      language,
      attributes: Object.fromEntries([...pairs].map(([, name, value]) => [name, value])),
      text: text.replace(/\n$/, ""),
    };
  });
}

/** Whether a command has printed what its page says. */
export function isAsWritten(printed: string, written: string): boolean {
  const lines = written
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (line.trim() === "…") return "(?:.*\\n)*?";
      return `${line
        .trimEnd()
        .split("…")
        .map((part) => RegExp.escape(part))
        .join(".*")}[ \\t]*\\n`;
    });
  return new RegExp(`^${lines.join("")}$`).test(`${printed.trimEnd()}\n`);
}
