/** Lets the browser save a text or other content as a file. */
export function saveFile(
  content: string | Blob,
  { name, type = "" }: { readonly name: string; readonly type?: string },
): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type }) : content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
