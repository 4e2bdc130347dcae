import { failed, type CheckResult } from "./check-result.ts";

/** An A3 page at 1,200 dpi has 280 million pixels; a larger image would not open at the desk. */
const MAX_PIXELS = 300_000_000;
const MAX_SIDE = 65_500;

/** Null where an image of this size, in pixels, can be shown. */
export function findSizeFault(width: number, height: number): CheckResult | null {
  if (width === 0 || height === 0) {
    return failed("document_empty", "The image has a width or height of 0.");
  }
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) {
    return failed(
      "document_too_many_pixels",
      `The image is too large to be opened: ${width} by ${height} pixels. Scan it at 300 dpi.`,
    );
  }
  return null;
}
