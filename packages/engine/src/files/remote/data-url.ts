export const WRONG_DATA = "the data is not valid base64 or percent-encoding (RFC 2397)";

/** The bytes of a `data:` URL (RFC 2397), base64 or percent-encoded; undefined if it is malformed. */
export function bytesOfDataUrl(url: string): Buffer | undefined {
  const parts = /^data:([^,]*),([^#]*)/is.exec(url);
  if (parts === null) return undefined;
  const [, head = "", content = ""] = parts;
  const bytes = percentDecoded(content);
  if (bytes === undefined || !/;\s*base64\s*$/i.test(head)) return bytes;
  return fromBase64(bytes.toString("latin1"));
}

function percentDecoded(text: string): Buffer | undefined {
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined;
  const pieces = text.split(/((?:%[0-9a-f]{2})+)/i);
  return Buffer.concat(
    pieces.map((piece, index) =>
      index % 2 === 0 ? Buffer.from(piece) : Buffer.from(piece.replaceAll("%", ""), "hex"),
    ),
  );
}

/** Node skips characters that are not base64; a mangled input must not become different data. */
function fromBase64(text: string): Buffer | undefined {
  const plain = text.replace(/[\s=]/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]*$/.test(plain) || plain.length % 4 === 1) return undefined;
  return Buffer.from(plain, "base64");
}
