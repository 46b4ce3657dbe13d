import type { Option } from "commander";

/** Words after a document on the command line, in their original order. */
export interface SplitWords {
  /** Flags of the command, with their values. */
  readonly flags: readonly string[];
  /** Everything else: the input object, and flags of the document's inputs. */
  readonly others: readonly string[];
}

/** Whether the document has an input for this flag, and whether the flag takes the next word as its value. */
export type InputFlagKind = "none" | "switch" | "value";

/**
 * Separates the flags of a command from those of a document's inputs. An input overrides a flag of the same name, because
 * flags of the command may also precede the document. Until the document is loaded, no input is known.
 */
export function splitWords(
  words: readonly string[],
  options: readonly Option[],
  inputFlag: (name: string) => InputFlagKind = () => "none",
): SplitWords {
  const flags: string[] = [];
  const others: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [name = "", value] = flagParts(word) ?? [];
    const kind = inputFlag(name);
    const option = kind === "none" ? options.find(({ long }) => long === `--${name}`) : undefined;
    const takesNext = option === undefined ? kind === "value" : option.required;
    const next = takesNext && value === undefined ? rest.splice(0, 1) : [];
    (option === undefined ? others : flags).push(word, ...next);
  }
  return { flags, others };
}

/** Name and value of `--name=value`, `--name` or `-n`; undefined for other words, such as `-` and `-5`. */
export function flagParts(word: string): readonly [name: string, value: string | undefined] | undefined {
  const [, name, value] = /^--?([^\d\s=-][^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  return name === undefined ? undefined : [name, value];
}
