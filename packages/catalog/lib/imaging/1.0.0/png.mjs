// A PNG of palette colours, stored without compression: zlib's packed bytes differ between machines, these do not.

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_STORED_BLOCK_BYTES = 0xffff;
const PALETTE_COLOUR = 3;

/** The bytes of a PNG; `pixels` are indices into `palette` (triples of 0 to 255), row after row from the top. */
export function encodePng({ width, height, pixels, palette }) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE_COLOUR, 0, 0, 0], 8);
  const chunks = [
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flat())),
    chunk("IDAT", stored(rows(pixels, width, height))),
  ];
  return Buffer.concat([SIGNATURE, ...chunks, chunk("IEND", Buffer.alloc(0))]);
}

/** Whether bytes begin as a PNG does. */
export function isPng(bytes) {
  return SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));
}

// Each row is preceded by its filter, 0: none.
function rows(pixels, width, height) {
  const bytes = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row += 1)
    bytes.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return bytes;
}

// RFC 1950 (zlib) around RFC 1951 section 3.2.4 (stored blocks).
function stored(bytes) {
  const parts = [Buffer.from([0x78, 0x01])];
  for (let at = 0; at < bytes.length; at += MAX_STORED_BLOCK_BYTES) {
    const block = bytes.subarray(at, at + MAX_STORED_BLOCK_BYTES);
    const head = Buffer.alloc(5);
    head[0] = at + block.length === bytes.length ? 1 : 0;
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(0xffff - block.length, 3);
    parts.push(head, block);
  }
  return Buffer.concat([...parts, bigEndian(adler32(bytes))]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([bigEndian(data.length), body, bigEndian(crc32(body))]);
}

function bigEndian(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number >>> 0);
  return bytes;
}

function adler32(bytes) {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return high * 65536 + low;
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc;
}
