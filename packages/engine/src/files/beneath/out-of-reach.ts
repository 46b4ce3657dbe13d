import { CwlFailure, type CwlFailureCode } from "@weft/cwl/cwl-failure.ts";

/** A path, or a link in it, leads to a file or folder that the caller may not read. */
export class OutOfReach extends CwlFailure {
  /** True if the caller must not learn whether the path exists, because other callers can see more of that folder. */
  readonly isHidden: boolean;

  constructor(message: string, { isHidden = false, code = "STAGE_IN" }: OutOfReachDetails = {}) {
    super(code, message, { hint: "copy the file instead of linking to it" });
    this.name = "OutOfReach";
    this.isHidden = isHidden;
  }
}

interface OutOfReachDetails {
  readonly isHidden?: boolean;
  readonly code?: CwlFailureCode;
}
