import * as fs from "node:fs";
import type { Dirent, Stats } from "node:fs";
import { promisify } from "node:util";
import type { Step } from "./steps.ts";

const LATER = {
  open: promisify(fs.open),
  close: promisify(fs.close),
  fstat: promisify(fs.fstat),
  fsync: promisify(fs.fsync),
  read: promisify(fs.read),
};

export function open(path: string, flags: number, mode?: number): Step<number> {
  return { now: () => fs.openSync(path, flags, mode), later: () => LATER.open(path, flags, mode) };
}

export function close(fd: number): Step<void> {
  return { now: () => fs.closeSync(fd), later: () => LATER.close(fd) };
}

export function fstat(fd: number): Step<Stats> {
  return { now: () => fs.fstatSync(fd), later: () => LATER.fstat(fd) };
}

export function lstat(path: string): Step<Stats> {
  return { now: () => fs.lstatSync(path), later: () => fs.promises.lstat(path) };
}

/** Undefined if nothing exists there. Cheaper than catching the error, whose stack trace costs more than the call. */
export function lstatIfAny(path: string): Step<Stats | undefined> {
  return {
    now: () => fs.lstatSync(path, { throwIfNoEntry: false }),
    later: () => fs.promises.lstat(path).catch(noEntry),
  };
}

export function readlink(path: string): Step<string> {
  return { now: () => fs.readlinkSync(path), later: () => fs.promises.readlink(path) };
}

/** The number that identifies the type of a file system. */
export function fileSystem(path: string): Step<number> {
  return { later: async () => (await fs.promises.statfs(path)).type };
}

export function entries(path: string): Step<Dirent[]> {
  return {
    now: () => fs.readdirSync(path, { withFileTypes: true }),
    later: () => fs.promises.readdir(path, { withFileTypes: true }),
  };
}

/** Names as bytes, which need not be UTF-8. */
export function rawNames(path: string): Step<Buffer[]> {
  return {
    now: () => fs.readdirSync(path, { encoding: "buffer" }),
    later: () => fs.promises.readdir(path, { encoding: "buffer" }),
  };
}

export function opendir(path: string, bufferSize: number): Step<AsyncIterable<Dirent>> {
  return { later: () => fs.promises.opendir(path, { bufferSize }) };
}

export function chmod(path: string, mode: number): Step<void> {
  return { now: () => fs.chmodSync(path, mode), later: () => fs.promises.chmod(path, mode) };
}

export function mkdir(path: string, mode?: number): Step<void> {
  return { now: () => fs.mkdirSync(path, mode), later: () => fs.promises.mkdir(path, mode) };
}

export function link(from: string, to: string): Step<void> {
  return { now: () => fs.linkSync(from, to), later: () => fs.promises.link(from, to) };
}

export function symlink(target: string, path: string): Step<void> {
  return { now: () => fs.symlinkSync(target, path), later: () => fs.promises.symlink(target, path) };
}

export function unlink(path: string): Step<void> {
  return { now: () => fs.unlinkSync(path), later: () => fs.promises.unlink(path) };
}

export function rename(from: string, to: string): Step<void> {
  return { now: () => fs.renameSync(from, to), later: () => fs.promises.rename(from, to) };
}

/** Takes a millisecond even on a local disk that discards freed blocks immediately (mount option `discard`). */
export function rmdir(path: string): Step<void> {
  return { later: () => fs.promises.rmdir(path) };
}

/** Copies to an unused name; shares blocks if the disk supports it. */
export function copy(from: string, to: string): Step<void> {
  const mode = fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE;
  return { later: () => fs.promises.copyFile(from, to, mode) };
}

export function fsync(fd: number): Step<void> {
  return { later: () => LATER.fsync(fd) };
}

/** Returns the number of bytes read. */
export function read(fd: number, buffer: Buffer, start: number): Step<number> {
  return {
    now: () => fs.readSync(fd, buffer, 0, buffer.length, start),
    later: async () => (await LATER.read(fd, buffer, 0, buffer.length, start)).bytesRead,
  };
}

function noEntry(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Like an error of a system call; its message is for people. */
export function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}

/** Replaces paths of open descriptors in a system error, which say nothing once the descriptor is closed. */
export function withRealPaths(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes(DESCRIPTORS)) return error;
  const { message, path, dest }: NodeJS.ErrnoException & { readonly dest?: string } = error;
  const real = (text: string) => text.replaceAll(/\/proc\/self\/fd\/\d+/g, realPathOf);
  return Object.assign(error, {
    message: real(message),
    ...(path === undefined ? {} : { path: real(path) }),
    ...(dest === undefined ? {} : { dest: real(dest) }),
  });
}

const DESCRIPTORS = "/proc/self/fd/";

function realPathOf(descriptor: string): string {
  try {
    return fs.readlinkSync(descriptor);
  } catch {
    return descriptor;
  }
}
