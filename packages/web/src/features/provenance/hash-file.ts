const LARGEST_BYTES = 1024 ** 3;

/**
 * SHA-1 of a file in CWL's form, `sha1$…`, computed in the browser: nothing is sent. Throws for files above 1 GiB,
 * which the browser would have to hold in memory as a whole.
 */
export async function hashFile(file: Blob): Promise<string> {
  if (file.size > LARGEST_BYTES)
    throw new Error("Files over 1 GiB cannot be hashed in the browser. Enter the checksum instead.");
  const digest = await crypto.subtle.digest("SHA-1", await file.arrayBuffer());
  return `sha1$${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
