import type { HelpOption } from "./parse-help.ts";

/** A command line, split as by a shell. */
export interface CommandWords {
  readonly words: readonly string[];
  readonly stdin: string | undefined;
  readonly stdout: string | undefined;
}

export interface InferredInput {
  readonly id: string;
  readonly type: "File" | "string" | "int" | "float" | "boolean" | "Directory";
  readonly isOptional: boolean;
  readonly prefix: string | undefined;
  /** False for `--name=value` and `-t4`. */
  readonly separate: boolean;
  readonly position: number;
  /** The value in the command line. */
  readonly example: string | number | boolean | undefined;
  /** True if the value is the name of a file that the program writes. */
  readonly isOutputName: boolean;
  readonly doc: string | undefined;
}

export interface InferredTool {
  readonly baseCommand: readonly string[];
  readonly inputs: readonly InferredInput[];
  readonly stdin: string | undefined;
  /** The file for standard output; undefined if standard output is not an output. */
  readonly stdout: string | undefined;
}

/** A question that the command line alone does not answer, with two possible answers. */
export interface Assumption {
  readonly question: string;
  readonly choices: readonly [string, string];
  /** Index of the choice that is more likely. */
  readonly likely: 0 | 1;
}

export interface Knowledge {
  readonly options: readonly HelpOption[];
  readonly helpText: string;
  /** The kind of file with this name; undefined if it does not exist. */
  readonly kindOf: (path: string) => "file" | "folder" | undefined;
  /** Index of the choice. */
  readonly decide: (assumption: Assumption) => Promise<0 | 1>;
}

const OUTPUT_FLAG = /^--?(?:o|O|out|outfile|output|out-?file|output-?file|outdir|out-?dir|dest|destination)$/i;
const VALUE_FLAG = /^--?(?:i|f|r|in|input|file|ref|reference|bed|a|b|I|x|U|e|t|n|k|d|s)$/;
const OUTPUT_NAME =
  /(?:^|[._/-])(?:out|output|outs|result|results|sorted|merged|filtered|copy|new|converted)(?:[._-]|$)/i;
const FILE_NAME = /[^./]\.[A-Za-z][A-Za-z0-9]{0,9}$/;

/** The inputs and outputs of a command line, from its words, names of files and the help of the program. */
export async function inferTool(command: CommandWords, knowledge: Knowledge): Promise<InferredTool> {
  const [program = "", ...words] = command.words;
  const baseCommand = [program, ...subcommandOf(words, knowledge)];
  const reading = new Reading(knowledge);
  await reading.readAll(words.slice(baseCommand.length - 1));
  const { stdin, stdout } = command;
  const hasOutput = reading.inputs.some(({ isOutputName }) => isOutputName);
  if (stdin !== undefined)
    reading.add({ word: stdin, prefix: undefined, position: 0, isOutputName: false, id: "stdin_file" });
  return {
    baseCommand,
    inputs: reading.inputs,
    stdin: stdin === undefined ? undefined : "stdin_file",
    stdout: stdout ?? (hasOutput ? undefined : `${baseCommand.at(-1) ?? "tool"}.txt`),
  };
}

/** The subcommand, as `sort` in `samtools sort`: a plain word that the help lists or that an option follows. */
function subcommandOf(words: readonly string[], { helpText, kindOf }: Knowledge): readonly string[] {
  const [first = "", second = ""] = words;
  if (!/^[a-z][a-z0-9_-]*$/.test(first) || kindOf(first) !== undefined) return [];
  const isListed = new RegExp(
    `(?:^|\\n)\\s*(?:--\\s*)?${first}(?:\\s{2,}|\\t|\\s*$)|(?:usage|version)[^\\n]*\\b${first}\\b`,
    "im",
  ).test(helpText);
  return isListed || second.startsWith("-") ? [first] : [];
}

interface NewInput {
  readonly word: string | true;
  readonly prefix: string | undefined;
  readonly position: number;
  readonly isOutputName: boolean;
  readonly separate?: boolean;
  readonly id?: string;
}

class Reading {
  readonly inputs: InferredInput[] = [];
  readonly #knowledge: Knowledge;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  async readAll(words: readonly string[]): Promise<void> {
    const rest = [...words];
    for (let word = rest.shift(), position = 1; word !== undefined; word = rest.shift(), position++)
      await this.#read(word, rest, position);
  }

  async #read(word: string, rest: string[], position: number): Promise<void> {
    const [, name, value] = /^(--?[^=\s]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) {
      this.add({
        word: value,
        prefix: `${name}=`,
        position,
        separate: false,
        isOutputName: await this.#isOutput(value, name),
      });
    } else if (!/^-[^\d\s]|^--./.test(word)) {
      const isLast = rest.length === 0;
      this.add({ word, prefix: undefined, position, isOutputName: await this.#isOutput(word, undefined, isLast) });
    } else if (rest[0] !== undefined && (await this.#takesValue(word, rest[0], rest.length))) {
      const next = rest.shift() ?? "";
      this.add({ word: next, prefix: word, position, isOutputName: await this.#isOutput(next, word) });
    } else this.add({ word: true, prefix: word, position, isOutputName: false });
  }

  async #takesValue(flag: string, next: string, left: number): Promise<boolean> {
    const known = this.#optionOf(flag);
    if (known !== undefined && (known.value !== undefined || known.doc !== "")) {
      if (known.value !== undefined) return true;
      if (!/^-?\d/.test(next)) return false;
    }
    if (next.startsWith("-") && !/^-\d/.test(next)) return false;
    if (/^-?[\d.]+[a-zA-Z%]?$/.test(next) || OUTPUT_FLAG.test(flag)) return true;
    if (left === 1 && !VALUE_FLAG.test(flag)) return this.#ask(flag, next, 0);
    return VALUE_FLAG.test(flag) || left > 1 ? this.#ask(flag, next, 1) : false;
  }

  async #ask(flag: string, next: string, likely: 0 | 1): Promise<boolean> {
    const choices = [`a switch, and ${next} is an argument`, `an option with the value ${next}`] as const;
    return (await this.#knowledge.decide({ question: `What is ${flag}?`, choices, likely })) === 1;
  }

  /** True for the name of an output: a flag or the name itself marks it as one, and no such file exists. */
  async #isOutput(value: string, flag: string | undefined, isLast = false): Promise<boolean> {
    if (flag !== undefined && OUTPUT_FLAG.test(flag.replace(/=$/, ""))) return value !== "-";
    if (!FILE_NAME.test(value) || /^[\d.]+$/.test(value) || /^\w+:\/\//.test(value)) return false;
    if (this.#knowledge.kindOf(value) !== undefined) return false;
    if (OUTPUT_NAME.test(value)) return true;
    const files = this.inputs.filter(({ type }) => type === "File");
    if (!isLast || files.length === 0 || flag !== undefined) return false;
    // If the other files exist and this one does not, the program writes it.
    const likely = files.every(({ example }) => this.#knowledge.kindOf(String(example)) !== undefined) ? 1 : 0;
    const choices = ["a file that it reads", "a file that it writes"] as const;
    return (await this.#knowledge.decide({ question: `What is ${value}?`, choices, likely })) === 1;
  }

  #optionOf(flag: string): HelpOption | undefined {
    return this.#knowledge.options.find(({ names }) => names.includes(flag.replace(/=$/, "")));
  }

  add({ word, prefix, position, isOutputName, separate = true, id }: NewInput): void {
    const option = prefix === undefined ? undefined : this.#optionOf(prefix);
    const { type, example } = isOutputName ? ({ type: "string", example: word } as const) : this.#typeOf(word);
    const preferred = id ?? (isOutputName ? "output_name" : nameOf(word, prefix, option));
    this.inputs.push({
      id: this.#free(preferred),
      type,
      isOptional: prefix !== undefined && !isOutputName && type !== "File" && type !== "Directory",
      prefix,
      separate,
      position,
      example,
      isOutputName,
      doc: option === undefined || option.doc === "" ? undefined : option.doc,
    });
  }

  #typeOf(word: string | true): Pick<InferredInput, "type" | "example"> {
    if (word === true) return { type: "boolean", example: true };
    if (/^-?\d+$/.test(word) && Number.isSafeInteger(Number(word))) return { type: "int", example: Number(word) };
    if (/^-?(?:\d+\.\d*|\.\d+)(?:e-?\d+)?$/i.test(word)) return { type: "float", example: Number(word) };
    const kind = this.#knowledge.kindOf(word);
    if (kind === "folder") return { type: "Directory", example: word };
    const isFile = kind === "file" || (FILE_NAME.test(word) && !/[\s()*?$]/.test(word));
    return { type: isFile ? "File" : "string", example: word };
  }

  #free(preferred: string): string {
    const taken = new Set(this.inputs.map(({ id }) => id));
    let free = preferred;
    for (let n = 2; taken.has(free); n++) free = `${preferred}_${n}`;
    return free;
  }
}

const MEANINGLESS_NAME = /^(?:in|input|file|infile|a|b|x|test|data|example|sample|tmp)?\d*$/i;

/** A name for an input: a long name of the option, otherwise the name of the file, otherwise its kind. */
function nameOf(word: string | true, prefix: string | undefined, option: HelpOption | undefined): string {
  const long = [...(prefix === undefined ? [] : [prefix]), ...(option?.names ?? [])].find((name) =>
    /^--?[A-Za-z][\w-]{2,}/.test(name),
  );
  if (long !== undefined) return identifier(long);
  if (prefix !== undefined && option?.value !== undefined && isClear(option.value)) return identifier(option.value);
  if (prefix !== undefined) return `option_${identifier(prefix)}`;
  const base = String(word).split("/").at(-1) ?? "";
  const [stem, ending] = [base.replace(/\..*$/, ""), /\.([A-Za-z]\w*)$/.exec(base)?.[1] ?? ""];
  if (ending !== "") return identifier(MEANINGLESS_NAME.test(stem) ? ending : stem);
  return /^[A-Za-z][\w-]{2,}$/.test(base) ? "argument" : "value";
}

/** True for a placeholder such as `THREADS`, which describes a value; false for `INT`, which only names its type. */
function isClear(value: string): boolean {
  return (
    /^[A-Za-z][\w-]{2,}$/.test(value) &&
    !/^(?:int|integer|float|str|string|file|num|number|double|char|path|dir)$/i.test(value)
  );
}

function identifier(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");
  if (name === "") return "value";
  return /^\d/.test(name) ? `value_${name}` : name.length > 1 ? name.toLowerCase() : name;
}
