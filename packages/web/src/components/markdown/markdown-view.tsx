import { createContext, createElement, type ReactNode, use, useMemo } from "react";
import { Link } from "react-router-dom";
import { basePath } from "../../api/base-path.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { headingLevel, type MarkdownElement, type MarkdownNode, parseMarkdown } from "./parse-markdown.ts";

/** The targets of relative links in a text. */
interface KnownAddresses {
  readonly links: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, string>>;
}

const NO_ADDRESSES: KnownAddresses = { links: {}, images: {} };
const Addresses = createContext(NO_ADDRESSES);

interface MarkdownViewProps {
  readonly nodes: readonly MarkdownNode[];
  /** Without it, relative links are plain text, and images show their alternative text. */
  readonly addresses?: KnownAddresses;
}

/** Renders Markdown; text stays text, whatever it contains. */
export function MarkdownView({ nodes, addresses = NO_ADDRESSES }: MarkdownViewProps) {
  return (
    <Addresses value={addresses}>
      <div className="max-w-[46rem] space-y-3.5 leading-relaxed">
        <Nodes nodes={nodes} />
      </div>
    </Addresses>
  );
}

function Nodes({ nodes }: Pick<MarkdownViewProps, "nodes">) {
  return nodes.map((node, place) => (typeof node === "string" ? node : <Element key={place} element={node} />));
}

interface ElementProps {
  readonly element: MarkdownElement;
}

function Element({ element }: ElementProps) {
  const { tag, attributes, children } = element;
  const level = headingLevel(element);
  if (level !== undefined) return <Heading element={element} level={level} />;
  switch (tag) {
    case "pre":
      return <Code element={element} />;
    case "img":
      return <Image element={element} />;
    case "a":
      return (
        <TextLink href={attributes["href"] ?? ""}>
          <Nodes nodes={children} />
        </TextLink>
      );
    case "table":
      return (
        <div className="card overflow-x-auto" tabIndex={0} role="group" aria-label="Table">
          <table className="table">
            <Nodes nodes={children} />
          </table>
        </div>
      );
    case "ol":
      return (
        <ol className={CLASSES[tag]} start={Number(attributes["start"] ?? 1)}>
          <Nodes nodes={children} />
        </ol>
      );
    case "br":
    case "hr":
      return createElement(tag, { className: CLASSES[tag] });
    default:
      return createElement(
        tag,
        { className: CLASSES[tag], ...(tag === "th" ? { scope: "col" } : {}) },
        <Nodes nodes={children} />,
      );
  }
}

const CLASSES: Readonly<Record<string, string>> = {
  ol: "list-decimal space-y-1 pl-6",
  ul: "list-disc space-y-1 pl-6",
  blockquote: "space-y-2 border-l-4 border-line pl-4 text-soft",
  code: "code rounded bg-sunken px-1 py-0.5",
  hr: "border-line",
};

/** A block with a title is a file of that name; `output` shows the output of the commands before it. */
function Code({ element: { attributes, children } }: ElementProps) {
  const { title, language = "" } = attributes;
  const text = children.join("");
  if (language === "output") return <CodeBlock label="Output" text={text} isOutput role="group" />;
  const label = title ?? (language === "" ? "Example" : `Example in ${language}`);
  return (
    <div>
      {title !== undefined && <p className="code mb-1 text-soft">{title}</p>}
      <CodeBlock label={label} text={text} role="group" />
    </div>
  );
}

function Image({ element: { attributes } }: ElementProps) {
  const { src = "", alt = "" } = attributes;
  const url = use(Addresses).images[src];
  return url === undefined ? alt : <img src={url} alt={alt} className="max-w-full rounded-lg border border-line" />;
}

/** The page's own heading is the h1: headings of the text begin below it. */
function Heading({ element, level }: ElementProps & { readonly level: number }) {
  const Tag = level <= 2 ? "h2" : "h3";
  return (
    <Tag
      id={element.attributes["id"]}
      className={`pt-3 ${level <= 2 ? "text-lg font-semibold" : "text-base font-semibold"}`}
    >
      <Nodes nodes={element.children} />
    </Tag>
  );
}

/** API URLs are not pages of this app. */
function TextLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const { links } = use(Addresses);
  const isApi = /^\/(api|swagger)/.test(href);
  if (isApi || /^(https?:|#)/.test(href))
    return (
      <a className="link" href={isApi ? basePath + href : href}>
        {children}
      </a>
    );
  const to = /^[/?]/.test(href) ? href : links[href];
  return to === undefined ? (
    children
  ) : (
    <Link className="link" to={to}>
      {children}
    </Link>
  );
}

/** The `doc` of a CWL document: Markdown by custom, never HTML. */
export function DocText({ text }: { readonly text: string }) {
  const nodes = useMemo(() => parseMarkdown(text), [text]);
  return <MarkdownView nodes={nodes} />;
}
