/** A section of the table of contents. */
export interface DocSection {
  readonly title: string;
  readonly pages: readonly { readonly path: string; readonly title: string }[];
}

/** A part of a page under a heading. */
export interface SearchableSection {
  /** Path of the page below `/doc`. */
  readonly page: string;
  readonly pageTitle: string;
  /** "" for the beginning of the page. */
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

/** The content of a page for the application. */
export interface DocContent {
  readonly markdown: string;
  /** The targets of relative links within the application; without links to files that are not pages. */
  readonly links: Readonly<Record<string, string>>;
  /** URLs of the page's images. */
  readonly images: Readonly<Record<string, string>>;
}
