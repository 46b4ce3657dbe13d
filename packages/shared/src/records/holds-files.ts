/** The structure of a CWL type, which the language and the API's records share. */
export interface TypeShape {
  readonly kind: string;
  readonly items?: TypeShape;
  readonly options?: readonly TypeShape[];
  readonly fields?: readonly { readonly type: TypeShape }[];
}

const FILE_KINDS: ReadonlySet<string> = new Set(["File", "Directory", "Any"]);

/** Whether a value of the type may be a File or Directory, or hold one. */
export function holdsFiles({ kind, items, options = [], fields = [] }: TypeShape): boolean {
  return (
    FILE_KINDS.has(kind) ||
    (items !== undefined && holdsFiles(items)) ||
    options.some(holdsFiles) ||
    fields.some(({ type }) => holdsFiles(type))
  );
}
