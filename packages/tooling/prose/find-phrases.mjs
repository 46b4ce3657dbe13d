// A rule of textlint: reports the phrases of the vocabulary and sentences without a subject. In Markdown it reads whole
// blocks without their code; in a masked source (mask-source.ts) each line is a piece of prose.
import { SENTENCE_RULES } from "./sentences.ts";
import { VOCABULARY } from "./vocabulary.ts";

/** `kind`: the kind of prose, for the rules about sentences. */
export function findPhrases({ Syntax, RuleError, getSource, report, getFilePath }, { kind } = {}) {
  const rules = [...VOCABULARY, ...SENTENCE_RULES.filter(({ kinds }) => kinds.includes(kind))];
  const look = (node, text) => {
    for (const { pattern, instead } of rules)
      for (const { 0: words, index } of text.matchAll(pattern))
        report(node, new RuleError(`“${words.replace(/\s+/g, " ")}” → ${instead}`, { index }));
  };
  const inBlock = (node) => look(node, withoutCode(node, getSource(node), Syntax));
  if (getFilePath()?.endsWith(".md"))
    return { [Syntax.Paragraph]: inBlock, [Syntax.Header]: inBlock, [Syntax.TableCell]: inBlock };
  return { [Syntax.Str]: (node) => look(node, getSource(node)) };
}

/** The source at its length: code, HTML and addresses become characters that no phrase contains. */
function withoutCode(node, source, Syntax) {
  let text = source;
  const hide = (start, end) => {
    text = text.slice(0, start) + "_".repeat(end - start) + text.slice(end);
  };
  const visit = (child) => {
    const [start, end] = [child.range[0] - node.range[0], child.range[1] - node.range[0]];
    if (child.type === Syntax.Code || child.type === Syntax.Html) hide(start, end);
    if (child.type === Syntax.Link || child.type === Syntax.Image) {
      const address = text.slice(start, end).lastIndexOf("](");
      if (address >= 0) hide(start + address + 1, end);
    }
    for (const inner of child.children ?? []) visit(inner);
  };
  for (const child of node.children) visit(child);
  return text;
}
