import { ApiError } from "@weft/shared/routes/client.ts";
import { HEADER_BYTES, readNiftiHeader, type NiftiHeader } from "@weft/shared/image/nifti-header.ts";
import { isDrawable, Volume, volumeBytes } from "./volume.ts";

/**
 * Maximum number of bytes kept in the browser: a longer series keeps its first volumes, a larger volume only its
 * header.
 */
export const MAX_BYTES = 256 * 1024 ** 2;

type LoadedNifti =
  | { readonly kind: "fault"; readonly fault: string }
  | { readonly kind: "header"; readonly header: NiftiHeader; readonly why: string }
  | { readonly kind: "volume"; readonly header: NiftiHeader; readonly volume: Volume };

type Bytes = Uint8Array<ArrayBuffer>;

interface NiftiBounds {
  /** Maximum size of the values that are kept. */
  readonly mostBytes: number;
  readonly mostVolumes?: number;
}

/** Reads only the displayed part of a .nii or .nii.gz file. Throws ApiError if the server refuses it. */
export async function loadNifti(
  url: string,
  signal: AbortSignal,
  bounds: NiftiBounds = { mostBytes: MAX_BYTES },
): Promise<LoadedNifti> {
  const response = await fetch(url, { signal });
  if (!response.ok || response.body === null) throw new ApiError(response.status, undefined);
  return readNifti(response.body, bounds);
}

/** Like loadNifti, from a stream of bytes, compressed or not. */
export async function readNifti(body: ReadableStream<Bytes>, bounds: NiftiBounds): Promise<LoadedNifti> {
  const source = new ByteSource(await unpacked(body));
  const answer = await readFrom(source, bounds);
  await source.close();
  return answer;
}

async function readFrom(
  source: ByteSource,
  { mostBytes, mostVolumes = Number.POSITIVE_INFINITY }: NiftiBounds,
): Promise<LoadedNifti> {
  const header = readNiftiHeader(await source.take(HEADER_BYTES));
  if ("fault" in header) return { kind: "fault", fault: header.fault };
  const one = volumeBytes(header);
  const why = reasonNotToDraw(header, one, mostBytes);
  if (why !== undefined) return { kind: "header", header, why };
  const wanted =
    header.dataFrom + one * Math.min(header.volumes, mostVolumes, Math.max(1, Math.floor(mostBytes / one)));
  const bytes = await source.take(wanted);
  if (bytes.length < header.dataFrom + one)
    return { kind: "header", header, why: "The file is truncated: its first volume is incomplete." };
  return { kind: "volume", header, volume: new Volume(header, bytes.subarray(header.dataFrom)) };
}

/** Header extensions precede the values; anything longer than this is not an extension. */
const FARTHEST_VALUES = 16 * 1024 ** 2;

function reasonNotToDraw(header: NiftiHeader, one: number, mostBytes: number): string | undefined {
  if (!isDrawable(header)) return `Images with ${header.type.name} values cannot be displayed.`;
  if (!(header.dataFrom >= 0 && header.dataFrom <= FARTHEST_VALUES))
    return "Invalid header: the data offset (vox_offset) is out of range.";
  return one > mostBytes ? "The volume is too large to display in a browser." : undefined;
}

const GZIP = [0x1f, 0x8b];

/** Detects compression by the first bytes, not by the name. */
async function unpacked(body: ReadableStream<Bytes>): Promise<ReadableStream<Bytes>> {
  const reader = body.getReader();
  const { value: first = new Uint8Array(0) } = await reader.read();
  const whole = new ReadableStream<Bytes>({
    start: (out) => out.enqueue(first),
    pull: async (out) => {
      const { done, value } = await reader.read();
      if (done) out.close();
      else out.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return GZIP.every((byte, place) => first[place] === byte)
    ? whole.pipeThrough(new DecompressionStream("gzip"))
    : whole;
}

/** Reads bytes from the beginning of a stream; repeated calls read it only once. */
class ByteSource {
  readonly #reader: ReadableStreamDefaultReader<Bytes>;
  #bytes = new Uint8Array(64 * 1024);
  #filled = 0;
  #ended = false;

  constructor(stream: ReadableStream<Bytes>) {
    this.#reader = stream.getReader();
  }

  /** The first `count` bytes, or all if there are fewer. */
  async take(count: number): Promise<Uint8Array> {
    while (this.#filled < count && !this.#ended) {
      // Each piece comes after the one before.
      // eslint-disable-next-line no-await-in-loop
      const { done, value } = await this.#reader.read();
      this.#ended = done;
      if (value !== undefined) this.#append(value);
    }
    return this.#bytes.subarray(0, Math.min(count, this.#filled));
  }

  /** Cancels the rest of the stream. */
  async close(): Promise<void> {
    await this.#reader.cancel();
  }

  /** Allocates memory as bytes arrive, not as the header promises. */
  #append(piece: Uint8Array): void {
    const needed = this.#filled + piece.length;
    if (needed > this.#bytes.length) {
      const next = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      next.set(this.#bytes.subarray(0, this.#filled));
      this.#bytes = next;
    }
    this.#bytes.set(piece, this.#filled);
    this.#filled = needed;
  }
}
