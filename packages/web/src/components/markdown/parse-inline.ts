export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "em"; readonly children: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly children: readonly Inline[] };

/** Bounded, so that the time grows linearly with the text. */
const MARKS =
  /`([^`]{1,500})`|\*\*(.{1,500}?)\*\*|\*([^*\s][^*]{0,500})\*|(?<![\w])_([^_\s][^_]{0,500})_(?![\w])|\[([^\]]{1,500})\]\(([^)\s]{1,2000})\)/;

/** Parses inline Markdown: `code`, **strong**, *emphasis* or _emphasis_, [links](address). HTML stays text. */
export function parseInline(text: string): readonly Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  for (let match = MARKS.exec(rest); match !== null; match = MARKS.exec(rest)) {
    if (match.index > 0) parts.push({ kind: "text", text: rest.slice(0, match.index) });
    parts.push(inlineOf(match));
    rest = rest.slice(match.index + match[0].length);
  }
  if (rest !== "") parts.push({ kind: "text", text: rest });
  return parts;
}

function inlineOf([whole, code, strong, em, other, label, href]: readonly (string | undefined)[]): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong !== undefined) return { kind: "strong", children: parseInline(strong) };
  if (em !== undefined) return { kind: "em", children: parseInline(em) };
  if (other !== undefined) return { kind: "em", children: parseInline(other) };
  // Other schemes could run code or leave the server, so they stay text.
  if (label !== undefined && href !== undefined && /^(https?:|(?!\/\/)([^:]*$|[^:]*[/?#]))/.test(href))
    return { kind: "link", href, children: parseInline(label) };
  return { kind: "text", text: whole ?? "" };
}

/** The words of a line without markup. */
export function plainText(parts: readonly Inline[]): string {
  return parts.map((part) => ("text" in part ? part.text : plainText(part.children))).join("");
}
