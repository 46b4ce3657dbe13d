/** Content digests of a file: `sha1$…` as CWL writes it, and sha256 in hexadecimal digits. Size in bytes. */
export interface ContentDigest {
  readonly sha1: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}
