import { sizeText } from "../../../platform/characters.ts";
import { isPng, readPngParts } from "../../loa/signature-image.ts";
import type { ValueFault } from "../../requirements/check-value.ts";

export const MAX_LOGO_BYTES = 256 * 1024;
export const MAX_LOGO_SIDE = 1_024;

export const LOGO_TYPES = ["image/png", "image/jpeg"] as const;

export type LogoType = (typeof LOGO_TYPES)[number];

type CheckedLogo = { readonly type: LogoType } | { readonly fault: ValueFault };

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The type of a logo by its content, or why it is not shown to anybody. */
export function checkLogo(bytes: Buffer): CheckedLogo {
  if (bytes.length > MAX_LOGO_BYTES) {
    const most = sizeText(MAX_LOGO_BYTES);
    return fault("too_large", `It may have at most ${most}; it has ${bytes.length} bytes.`);
  }
  const type = isPng(bytes) ? "image/png" : "image/jpeg";
  const size = type === "image/png" ? readPngParts(bytes) : readJpegSize(bytes);
  if (size === null) return fault("invalid_image", "It is not an intact PNG or JPEG.");
  const { width, height } = size;
  if (width <= MAX_LOGO_SIDE && height <= MAX_LOGO_SIDE) return { type };
  const most = `It may be at most ${MAX_LOGO_SIDE} by ${MAX_LOGO_SIDE} pixels`;
  return fault("image_too_large", `${most}; it is ${width} by ${height}.`);
}

function fault(code: string, detail: string): CheckedLogo {
  return { fault: { code, detail } };
}

const MARKER = 0xff;
const START_OF_SCAN = 0xda;
/** Start of frame: every coding but the tables and the arithmetic ones between them (T.81, table B.1). */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** The size of a JPEG whose segments are whole up to its image data, which ends it; else null. */
function readJpegSize(bytes: Buffer): Size | null {
  if (bytes.subarray(0, 2).toString("hex") !== "ffd8") return null;
  if (bytes.subarray(-2).toString("hex") !== "ffd9") return null;
  let size: Size | null = null;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === MARKER) {
    const kind = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return null;
    if (kind === START_OF_SCAN) return size;
    if (FRAMES.has(kind) && length >= 8) {
      if (size !== null) return null;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
      if (size.width === 0 || size.height === 0) return null;
    }
    at += 2 + length;
  }
  return null;
}
