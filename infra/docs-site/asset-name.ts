import { createHash } from "node:crypto";

const HASH_LENGTH = 8;

/** `case-1a2b3c4d.png`: a name that changes with the content, so that browsers may keep the file for good. */
export function assetName(name: string, extension: string, content: Buffer | string): string {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, HASH_LENGTH);
  return `${name}-${hash}${extension}`;
}
