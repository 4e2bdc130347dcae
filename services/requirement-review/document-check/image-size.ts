import { failed, unreadable, type CheckResult } from "./check-result.ts";

/** An A3 page at 1,200 dpi has 280 million pixels; what claims more would not open at the desk. */
const MAX_PIXELS = 300_000_000;
const MAX_SIDE = 65_500;

/** Null where a picture of this size, in pixels, can be shown. */
export function findSizeFault(width: number, height: number): CheckResult | null {
  if (width === 0 || height === 0) {
    return failed("document_empty", "The picture has a width or height of 0.");
  }
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) {
    return unreadable(`The picture is too large to be opened: ${width} by ${height} pixels.`);
  }
  return null;
}
