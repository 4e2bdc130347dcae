import type { Sensitivity } from "../../countries/fields/requirement-definition.ts";

const SHOWN = 4;
/** Always the same length, so that the value's length is not revealed. */
const MASK = "****";

/** The value as it can be read back: whole, only its last 4 characters if it is longer, or fully masked. */
export function maskValue(value: string, sensitivity: Sensitivity): string {
  switch (sensitivity) {
    case "no":
      return value;
    case "masked":
      return value.length > SHOWN ? MASK + value.slice(-SHOWN) : MASK;
    case "hidden":
      return MASK;
  }
}
