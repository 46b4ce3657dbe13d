// Declarations of modules that Vite makes cannot import types by other means.
/* oxlint-disable typescript/consistent-type-imports */
declare module "virtual:docs" {
  type DocSection = import("../docs/doc-types.ts").DocSection;
  type DocContent = import("../docs/doc-types.ts").DocContent;
  type SearchableSection = import("../docs/doc-types.ts").SearchableSection;

  export const contents: readonly DocSection[];
  /** The pages by path below `/doc`; "" is the first page. */
  export const pages: Readonly<
    Record<string, { readonly title: string; readonly load: () => Promise<{ readonly default: DocContent }> }>
  >;
  /** The searchable text, by folder. */
  export const sectionParts: readonly {
    /** False for pages about the development of Weft. */
    readonly isGuide: boolean;
    readonly load: () => Promise<{ readonly default: readonly SearchableSection[] }>;
  }[];
}
