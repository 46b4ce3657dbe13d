/**
 * The smallest possible image: one program that exits with success. It tests a container engine without a network and
 * without a third-party image. Undefined for a processor without such a program.
 */
export function probeImage(arch: string): Uint8Array | undefined {
  const machine = MACHINES[arch];
  return machine === undefined ? undefined : tarOf("weft-true", elfProgram(machine));
}

export const PROBE_PROGRAM = "/weft-true";
export const PROBE_IMAGE = "localhost/weft-probe:1";

interface Machine {
  /** `e_machine` of the ELF header. */
  readonly id: number;
  /** exit(0). */
  readonly code: readonly number[];
}

const MACHINES: Readonly<Record<string, Machine>> = {
  // xor edi, edi; mov eax, 60; syscall
  x64: { id: 62, code: [0x31, 0xff, 0xb8, 0x3c, 0, 0, 0, 0x0f, 0x05] },
  // mov x0, #0; mov x8, #93; svc #0
  arm64: { id: 183, code: [0, 0, 0x80, 0xd2, 0xa8, 0x0b, 0x80, 0xd2, 0x01, 0, 0, 0xd4] },
};

const HEADERS = 64 + 56;
const BASE = 0x400000;

/** An executable with one segment that contains headers and code (System V ABI, 64 bit, little-endian). */
function elfProgram({ id, code }: Machine): Uint8Array {
  const size = HEADERS + code.length;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, 2, true); // executable file
  view.setUint16(18, id, true);
  view.setUint32(20, 1, true);
  view.setBigUint64(24, BigInt(BASE + HEADERS), true); // entry point
  view.setBigUint64(32, 64n, true); // program header
  view.setUint16(52, 64, true);
  view.setUint16(54, 56, true);
  view.setUint16(56, 1, true);
  view.setUint32(64, 1, true); // loadable segment
  view.setUint32(68, 5, true); // readable and executable
  view.setBigUint64(80, BigInt(BASE), true);
  view.setBigUint64(88, BigInt(BASE), true);
  view.setBigUint64(96, BigInt(size), true);
  view.setBigUint64(104, BigInt(size), true);
  view.setBigUint64(112, 0x1000n, true);
  bytes.set(code, HEADERS);
  return bytes;
}

const BLOCK = 512;

/** A tar archive (ustar) of one executable file, with the two empty blocks at its end. */
function tarOf(name: string, content: Uint8Array): Uint8Array {
  const archive = new Uint8Array(BLOCK + Math.ceil(content.length / BLOCK) * BLOCK + 2 * BLOCK);
  const write = (text: string, at: number) => archive.set(new TextEncoder().encode(text), at);
  write(name, 0);
  write("0000755\0", 100);
  write("0000000\0", 108);
  write("0000000\0", 116);
  write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  write("00000000000\0", 136);
  write("        0", 148);
  write("ustar\x0000", 257);
  const sum = archive.subarray(0, BLOCK).reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  archive.set(content, BLOCK);
  return archive;
}
