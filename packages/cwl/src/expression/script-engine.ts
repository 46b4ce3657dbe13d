/**
 * The sandbox that runs the JavaScript in documents (CWL v1.2 CommandLineTool.html#Expressions). Plain parameter
 * references never reach it. Implementations limit time and memory, and share nothing between evaluations.
 */
export interface ScriptEngine {
  /**
   * Returns unchecked JSON, which the document controls. Rejects with an ExpressionError if the script throws, exceeds its
   * time limit, or does not return a JSON value.
   */
  run(request: ScriptRequest): Promise<unknown>;
}

export interface ScriptRequest {
  /** `expression`: the text between `$(` and `)`. `body`: the text between `${` and `}`, a function body. */
  readonly form: "expression" | "body";
  readonly code: string;
  /** Texts of InlineJavascriptRequirement.expressionLib, run before the code, in order. */
  readonly library: readonly string[];
  /** Names that the code may use: `inputs`, `self`, `runtime`; only those that occur in its text. */
  readonly variables: { readonly [name: string]: unknown };
}
