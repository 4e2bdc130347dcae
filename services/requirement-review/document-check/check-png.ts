import { crc32 } from "node:zlib";
import {
  PASSED,
  truncated,
  unreadable,
  type CheckResult,
} from "../../domain/document/rules/check-result.ts";
import { findSizeFault } from "../../domain/document/rules/image-size.ts";

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;

/** Walks the chunks with their checksums, from IHDR through data to IEND (PNG specification, section 5). */
export function checkPng(bytes: Buffer): CheckResult {
  let at = SIGNATURE_BYTES;
  let hasData = false;
  for (let nth = 0; at + FRAME_BYTES <= bytes.length; nth += 1) {
    const length = bytes.readUInt32BE(at);
    const end = at + FRAME_BYTES + length;
    if (end > bytes.length) break;
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      return unreadable("The PNG is damaged: a checksum does not match.");
    }
    if ((nth === 0) !== (kind === "IHDR")) return unreadable("The PNG has no valid header.");
    if (kind === "IHDR") {
      const fault = findSizeFault(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12));
      if (fault !== null) return fault;
    }
    if (kind === "IDAT") hasData = true;
    if (kind === "IEND") return hasData ? PASSED : unreadable("The PNG contains no image.");
    at = end;
  }
  return truncated("The PNG is cut off: its end is missing.");
}
