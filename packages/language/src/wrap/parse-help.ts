/** An option in a help text. */
export interface HelpOption {
  /** The names with their dashes, short ones first: `-o`, `--output`. */
  readonly names: readonly string[];
  /** The placeholder of its value, such as `FILE`; undefined for a switch. */
  readonly value: string | undefined;
  readonly doc: string;
}

const MAX_TEXT = 500_000;
const MAX_DOC = 300;

/** Matches `-o, --output FILE  description` and variations: `-o FILE`, `--output=FILE`, `-o | --output <file>`. */
const OPTION =
  /^[ \t]{0,16}(-{1,2}[A-Za-z0-9@?][\w-]*(?:(?:\s*[,|/]\s*|\s+)-{1,2}[A-Za-z0-9@][\w-]*)*)(?:(?:\[?=|\s)\s?(\[?<[^>\n]{1,40}>\]?|\[?[A-Z][A-Z0-9_:,|.-]*\]?|(?:int|float|str|string|file|num|number|double|char|path|dir|[a-z]+_file)\b|\{[^}\n]{1,80}\}))?(?:\s{2,}|[ \t]*\t|\s*:\s|\s*$)(.*)$/;

/** The options in a help text, as far as `OPTION` recognizes them. */
export function parseHelp(text: string): readonly HelpOption[] {
  const options: { names: readonly string[]; value: string | undefined; doc: string }[] = [];
  // Manuals print bold text as a letter, a backspace and the letter.
  // eslint-disable-next-line no-control-regex
  for (const line of text
    .slice(0, MAX_TEXT)
    .replaceAll(/.\u0008|\u001B\[[\d;]*m/g, "")
    .split(/\r?\n/)) {
    const [, names, value, doc = ""] = OPTION.exec(line) ?? [];
    const last = options.at(-1);
    if (names !== undefined) options.push({ names: names.split(/[\s,|/]+/), value: plain(value), doc: doc.trim() });
    else if (last !== undefined && /^\s{8,}\S/.test(line) && last.doc.length < MAX_DOC)
      last.doc = `${last.doc} ${line.trim()}`.trim();
  }
  return options.map((option) => ({ ...option, doc: option.doc.slice(0, MAX_DOC) }));
}

function plain(value: string | undefined): string | undefined {
  return value?.replaceAll(/[[\]<>]/g, "");
}
