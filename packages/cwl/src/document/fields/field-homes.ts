/** The correct objects for fields that people often put at the wrong level or into the wrong class. */
const HOMES: readonly (readonly [string, readonly string[]])[] = [
  [
    "a CommandLineTool",
    [
      "baseCommand",
      "arguments",
      "stdin",
      "stdout",
      "stderr",
      "successCodes",
      "temporaryFailCodes",
      "permanentFailCodes",
    ],
  ],
  ["a Workflow", ["steps"]],
  ["an ExpressionTool", ["expression"]],
  ["a step of a Workflow", ["run", "in", "out", "scatter", "scatterMethod", "when"]],
  ["an input of a step", ["source"]],
  ["an output of a Workflow", ["outputSource"]],
  ["`inputBinding`", ["position", "prefix", "separate", "itemSeparator", "shellQuote"]],
  ["`outputBinding`", ["glob", "outputEval"]],
  ["the type, `type: {type: array, items: …}`", ["items"]],
  ["the type, `type: {type: enum, symbols: […]}`", ["symbols"]],
  ["the type, `type: {type: record, fields: {…}}`", ["fields"]],
  [
    "`requirements` or `hints`, as `DockerRequirement: {…}`",
    ["dockerPull", "dockerImageId", "dockerFile", "dockerLoad"],
  ],
  [
    "`requirements` or `hints`, as `ResourceRequirement: {…}`",
    ["coresMin", "coresMax", "ramMin", "ramMax", "tmpdirMin", "tmpdirMax", "outdirMin", "outdirMax"],
  ],
  ["`requirements`, as `EnvVarRequirement: {…}`", ["envDef"]],
  ["`requirements`, as `InlineJavascriptRequirement: {…}`", ["expressionLib"]],
  ["a process or a step", ["requirements", "hints"]],
  ["the document's root", ["cwlVersion", "$graph"]],
];

const HOME_BY_FIELD = new Map(HOMES.flatMap(([home, fields]) => fields.map((field) => [field, home] as const)));

/** Says where a misplaced field belongs; undefined if it is not a field of the language. */
export function homeHint(field: string): string | undefined {
  const home = HOME_BY_FIELD.get(field);
  if (home !== undefined) return `\`${field}\` belongs to ${home}`;
  return /^[A-Z]\w+Requirement$/.test(field) ? `\`${field}\` belongs to \`requirements\` or \`hints\`` : undefined;
}
