/** An action of the audit log in words: `createRun` is "Create run", `token.removed` is "Token removed". */
export function actionText(action: string): string {
  const words = action.replaceAll(/(?<=[a-z])(?=[A-Z])|\./g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
