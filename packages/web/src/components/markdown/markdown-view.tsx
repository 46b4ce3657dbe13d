import { Fragment } from "react";
import { Link } from "react-router-dom";
import { basePath } from "../../api/base-path.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import type { Inline } from "./parse-inline.ts";
import type { Block } from "./parse-markdown.ts";

/** Renders blocks of Markdown; text stays text, whatever it contains. */
export function MarkdownView({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <div className="max-w-[46rem] space-y-3.5 leading-relaxed">
      {blocks.map((block, place) => (
        <BlockView key={place} block={block} />
      ))}
    </div>
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
      return <CodeBlock label={block.language === "" ? "Example" : `Example in ${block.language}`} text={block.text} />;
    case "table":
      return <Table block={block} />;
  }
}

/** The page's own heading is the h1: headings of the guide begin below it. */
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
    <div className="card overflow-x-auto">
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
      return <GuideLink part={part} />;
  }
}

/** API URLs are not pages of this app. */
function GuideLink({ part }: { readonly part: Extract<Inline, { kind: "link" }> }) {
  const content = <InlineView parts={part.children} />;
  if (/^\/(api|swagger)/.test(part.href))
    return (
      <a className="link" href={basePath + part.href}>
        {content}
      </a>
    );
  if (!part.href.startsWith("/") && !part.href.startsWith("?"))
    return (
      <a className="link" href={part.href}>
        {content}
      </a>
    );
  return (
    <Link className="link" to={part.href}>
      {content}
    </Link>
  );
}
