import type { Sensitivity } from "../../countries/fields/requirement-definition.ts";

const SHOWN = 4;
/** Always as many, so that the length is not told. */
const MASK = "****";

/** The value as it may be read back: whole, its last 4 characters where it has more, or none of it. */
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
