/** A message as a sentence: it begins with a capital letter (unless a name begins it) and ends with a full stop. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  const first = /^[a-z]+(\s|$)/.test(trimmed) ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed;
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}

/** An action of the audit log in words: `createRun` is "Create run", `token.removed` is "Token removed". */
export function actionText(action: string): string {
  const words = action.replaceAll(/(?<=[a-z])(?=[A-Z])|\./g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
