/**
 * Builds the filter of system calls for sandboxed jobs, as bubblewrap's `--seccomp` reads it: the classic BPF instructions
 * that seccomp(2) describes. It refuses access to things that namespaces do not separate:
 * - kernel keyrings, which belong to the account;
 * - user namespaces, in which a job would have every capability and reach more of the kernel;
 * - typing into a terminal (TIOCSTI, TIOCLINUX), as bubblewrap's documentation advises.
 * It covers the 32-bit programs that the processor can run, because they have other numbers.
 */
export function seccompFilter(arch: NodeJS.Architecture): Uint8Array | undefined {
  const tables = TABLES[arch];
  if (tables === undefined) return undefined;
  const instructions = [
    load(ARCHITECTURE),
    ...tables.flatMap((table) => onlyFor(table.audit, [load(NUMBER), ...rules(table), returns(ALLOW)])),
    returns(refusal(ENOSYS)),
  ];
  return Buffer.concat(instructions);
}

/** Numbers of system calls, and the kernel's name of the architecture that has them. */
interface CallTable {
  readonly audit: number;
  readonly keyrings: readonly number[];
  readonly ioctl: number;
  /** The first argument has flags. */
  readonly flagged: readonly number[];
  /** A second set of numbers, of which the kernel accepts every call with this bit; programs do not need it. */
  readonly otherBit?: number;
}

/** Equal on all processors. Its flags are in memory, which filters cannot read; libraries fall back to clone. */
const CLONE3 = 435;

/** keyctl, add_key, request_key; ioctl; clone, unshare. From the kernel's tables (`syscall.tbl`, `unistd.h`). */
const X64: CallTable = {
  ...{ audit: 0xc000003e, keyrings: [250, 248, 249], ioctl: 16, flagged: [56, 272], otherBit: 0x40000000 },
};
const I386: CallTable = { audit: 0x40000003, keyrings: [288, 286, 287], ioctl: 54, flagged: [120, 310] };
const ARM64: CallTable = { audit: 0xc00000b7, keyrings: [219, 217, 218], ioctl: 29, flagged: [220, 97] };
const ARM: CallTable = { audit: 0x40000028, keyrings: [311, 309, 310], ioctl: 54, flagged: [120, 337] };
const TABLES: Partial<Record<NodeJS.Architecture, readonly CallTable[]>> = { x64: [X64, I386], arm64: [ARM64, ARM] };

const CLONE_NEWUSER = 0x10000000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const EPERM = 1;
const ENOSYS = 38;
const ALLOW = 0x7fff0000;
const refusal = (error: number) => 0x00050000 + error;

/** Offsets in the kernel's `struct seccomp_data`; arguments have 64 bits, and the lower half comes first. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number) => 16 + 8 * index;

/** `BPF_LD | BPF_W | BPF_ABS`, `BPF_JMP | BPF_JEQ | BPF_K`, `BPF_JMP | BPF_JSET | BPF_K`, `BPF_RET | BPF_K`. */
const load = (offset: number) => instruction(0x20, offset);
const unlessEqual = (value: number, skip: number) => instruction(0x15, value, 0, skip);
const unlessAnyBit = (bits: number, skip: number) => instruction(0x45, bits, 0, skip);
const returns = (action: number) => instruction(0x06, action);

function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

function onlyFor(audit: number, block: readonly Buffer[]): readonly Buffer[] {
  return [unlessEqual(audit, block.length), ...block];
}

function rules({ keyrings, ioctl, flagged, otherBit }: CallTable): readonly Buffer[] {
  return [
    ...(otherBit === undefined ? [] : [unlessAnyBit(otherBit, 1), returns(refusal(ENOSYS))]),
    ...keyrings.flatMap((number) => [unlessEqual(number, 1), returns(refusal(EPERM))]),
    ...[unlessEqual(CLONE3, 1), returns(refusal(ENOSYS))],
    ...flagged.flatMap((number) =>
      onlyFor(number, [load(argument(0)), unlessAnyBit(CLONE_NEWUSER, 1), returns(refusal(EPERM)), returns(ALLOW)]),
    ),
    ...onlyFor(ioctl, [
      load(argument(1)),
      ...[TIOCSTI, TIOCLINUX].flatMap((request) => [unlessEqual(request, 1), returns(refusal(EPERM))]),
      returns(ALLOW),
    ]),
  ];
}
