import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { CwlFailureCode } from "@weft/cwl/cwl-failure.ts";

/** A path, or a link on the way to it, leads to where whoever asked may not read. */
export class OutOfReach extends CwlFailure {
  /** It lies in a folder of which others see more: whoever asked must not learn whether anything is there. */
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
