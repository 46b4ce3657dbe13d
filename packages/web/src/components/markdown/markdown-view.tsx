import { Fragment, createContext, use, useMemo } from "react";
import { Link } from "react-router-dom";
import { basePath } from "../../api/base-path.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import type { Inline } from "./parse-inline.ts";
import type { Block } from "./parse-markdown.ts";
import { parseMarkdown } from "./parse-markdown.ts";

/** The targets of relative links in a text. */
interface KnownAddresses {
  readonly links: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, string>>;
}

const NO_ADDRESSES: KnownAddresses = { links: {}, images: {} };
const Addresses = createContext(NO_ADDRESSES);

interface MarkdownViewProps {
  readonly blocks: readonly Block[];
  /** Without it, relative links are plain text, and images show their alternative text. */
  readonly addresses?: KnownAddresses;
}

/** Renders blocks of Markdown; text stays text, whatever it contains. */
export function MarkdownView({ blocks, addresses = NO_ADDRESSES }: MarkdownViewProps) {
  return (
    <Addresses value={addresses}>
      <div className="max-w-[46rem] space-y-3.5 leading-relaxed">
        {blocks.map((block, place) => (
          <BlockView key={place} block={block} />
        ))}
      </div>
    </Addresses>
  );
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "heading":
      return <Heading block={block} />;
    case "paragraph":
      return (
        <p>
          <InlineView parts={block.content} />
        </p>
      );
    case "list":
      return <List block={block} />;
    case "code":
      return <Code block={block} />;
    case "image":
      return <Image block={block} />;
    case "table":
      return <Table block={block} />;
  }
}

/** A block with a title is a file of that name; `output` shows the output of the commands before it. */
function Code({ block }: { readonly block: Extract<Block, { kind: "code" }> }) {
  const { title } = block.attributes;
  if (block.language === "output") return <CodeBlock label="Output" text={block.text} isOutput role="group" />;
  const label = title ?? (block.language === "" ? "Example" : `Example in ${block.language}`);
  return (
    <div>
      {title !== undefined && <p className="code mb-1 text-soft">{title}</p>}
      <CodeBlock label={label} text={block.text} role="group" />
    </div>
  );
}

function Image({ block }: { readonly block: Extract<Block, { kind: "image" }> }) {
  const url = use(Addresses).images[block.source];
  if (url === undefined) return <p>{block.alt}</p>;
  return <img src={url} alt={block.alt} className="max-w-full rounded-lg border border-line" />;
}

/** The page's own heading is the h1: headings of the text begin below it. */
function Heading({ block }: { readonly block: Extract<Block, { kind: "heading" }> }) {
  const Tag = block.level <= 2 ? "h2" : "h3";
  return (
    <Tag
      id={block.id}
      className={`scroll-mt-20 pt-3 ${block.level <= 2 ? "text-lg font-semibold" : "text-base font-semibold"}`}
    >
      <InlineView parts={block.content} />
    </Tag>
  );
}

function List({ block }: { readonly block: Extract<Block, { kind: "list" }> }) {
  const Tag = block.ordered ? "ol" : "ul";
  return (
    <Tag className={`space-y-1 pl-6 ${block.ordered ? "list-decimal" : "list-disc"}`}>
      {block.items.map((item, place) => (
        <li key={place}>
          <InlineView parts={item} />
        </li>
      ))}
    </Tag>
  );
}

function Table({ block }: { readonly block: Extract<Block, { kind: "table" }> }) {
  return (
    <div className="card overflow-x-auto" tabIndex={0} role="group" aria-label="Table">
      <table className="table">
        <thead>
          <tr>
            {block.head.map((cell, place) => (
              <th key={place} scope="col">
                <InlineView parts={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, place) => (
                <td key={place}>
                  <InlineView parts={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function InlineView({ parts }: { readonly parts: readonly Inline[] }) {
  return parts.map((part, place) => <Fragment key={place}>{inlineElement(part)}</Fragment>);
}

function inlineElement(part: Inline) {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code className="code rounded bg-sunken px-1 py-0.5">{part.text}</code>;
    case "strong":
      return (
        <strong>
          <InlineView parts={part.children} />
        </strong>
      );
    case "em":
      return (
        <em>
          <InlineView parts={part.children} />
        </em>
      );
    case "link":
      return <TextLink part={part} />;
  }
}

/** API URLs are not pages of this app. */
function TextLink({ part }: { readonly part: Extract<Inline, { kind: "link" }> }) {
  const { links } = use(Addresses);
  const content = <InlineView parts={part.children} />;
  if (/^(https?:|#)/.test(part.href))
    return (
      <a className="link" href={part.href}>
        {content}
      </a>
    );
  if (/^\/(api|swagger)/.test(part.href))
    return (
      <a className="link" href={basePath + part.href}>
        {content}
      </a>
    );
  const to = /^[/?]/.test(part.href) ? part.href : links[part.href];
  if (to === undefined) return content;
  return (
    <Link className="link" to={to}>
      {content}
    </Link>
  );
}

/** The `doc` of a CWL document: Markdown by custom, never HTML. */
export function DocText({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <MarkdownView blocks={blocks} />;
}
