import { errorText } from "../../error-text.ts";
/**
 * Why a URL could not be fetched, phrased to follow the URL in a sentence. Becomes a job's failure where it is caught.
 */
export class FetchProblem extends Error {
  /** True if the same request may succeed later. */
  readonly isPassing: boolean;
  readonly hint: string | undefined;
  /** HTTP status of a response without content. */
  readonly status: number | undefined;

  constructor(message: string, more: { isPassing?: boolean; hint?: string | undefined; status?: number } = {}) {
    super(message);
    this.name = "FetchProblem";
    this.isPassing = more.isPassing ?? false;
    this.hint = more.hint;
    this.status = more.status;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: "its host is unknown",
  EAI_AGAIN: "its host cannot be resolved now",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was lost",
  EPIPE: "the connection was lost",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its host cannot be reached",
  ETIMEDOUT: "its host did not answer in time",
};
const PASSING = new Set(["EAI_AGAIN", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** Turns Node's connection errors into words. Returns disk errors unchanged. */
export function toFetchProblem(error: unknown): unknown {
  if (error instanceof FetchProblem || !(error instanceof Error)) return error;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  const words = WORDS[code];
  if (words !== undefined) return new FetchProblem(words, { isPassing: PASSING.has(code) });
  if (/CERT|ISSUER|LEAF_SIGNATURE/.test(code))
    return new FetchProblem(`its certificate is not trusted (${error.message.split(";", 1)[0]})`, {
      hint: "install its certificate authority on this machine, or name it in NODE_EXTRA_CA_CERTS",
    });
  if (/^Z_|^ERR_(?:_ERROR|BROTLI)/.test(code)) return new FetchProblem("its encoded content is damaged");
  const isOfTheDisk = syscall === "write" || syscall === "open" || syscall === "fsync";
  return isOfTheDisk || error.name === "AbortError" ? error : new FetchProblem(errorText(error));
}

/** The meaning of an error status for the caller. */
export function statusProblem(status: number, statusText: string): FetchProblem {
  const answered = `the server answered ${status}${statusText === "" ? "" : ` (${statusText})`}`;
  const isPassing = status === 408 || status === 429 || status >= 500;
  if (status === 401 || status === 403)
    return new FetchProblem(`${answered}: access denied`, {
      status,
      hint: "use a link that needs no login, or download the file and use your copy",
    });
  if (status === 404 || status === 410)
    return new FetchProblem(`${answered}: file not found`, { status, hint: "check the address" });
  return new FetchProblem(answered, { status, isPassing });
}
