import {
  PASSED,
  truncated,
  unreadable,
  type CheckResult,
} from "../../domain/document/rules/check-result.ts";
import { findSizeFault } from "../../domain/document/rules/image-size.ts";

const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
const START_OF_SCAN = 0xda;
/** Markers C0 to CF are frames, except DHT, JPG and DAC. */
const NO_FRAMES = new Set([0xc4, 0xc8, 0xcc]);

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker);
}

/** Walks the segments to the scan, then looks for its end: a scan cannot contain FF D9 (ITU-T T.81, annex B). */
export function checkJpeg(bytes: Buffer): CheckResult {
  let hasFrame = false;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return unreadable("The JPEG is damaged.");
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (isFrame(marker)) {
      const fault = findSizeFault(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
      if (fault !== null) return fault;
      hasFrame = true;
    }
    if (marker === START_OF_SCAN) {
      if (!hasFrame) return unreadable("The JPEG contains no image.");
      if (bytes.indexOf(END_OF_IMAGE, at + 2 + length) >= 0) return PASSED;
      break;
    }
    at += 2 + length;
  }
  return truncated("The JPEG is cut off: its end is missing.");
}
