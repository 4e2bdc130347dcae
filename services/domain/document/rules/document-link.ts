import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

const DAY_MS = 86_400_000;
const KEY_BYTES = 32;
const PURPOSE = "document links";

/** How long a carrier can download a document by the link it was sent. */
export const CARRIER_LINK_MS = 7 * DAY_MS;

/** The query of a link: its expiry in Unix seconds and its signature. */
export interface LinkQuery {
  readonly expires: string;
  readonly signature: string;
}

/** Signed links that open documents without an API key. */
export interface DocumentLinks {
  /** A link to a document that is valid until the given time; `publicUrl` has no trailing slash. */
  urlOf(publicUrl: string, documentId: string, until: Date): string;
  /** Whether the link was signed for this document, and whether it still opens it. */
  stateOf(documentId: string, query: LinkQuery, now: Date): "valid" | "expired" | "foreign";
}

/** Signs links with a key derived from the first secret key; links signed with any of the keys are valid. */
export function createDocumentLinks(secretKeys: readonly Buffer[]): DocumentLinks {
  const keys = secretKeys.map((key) =>
    Buffer.from(hkdfSync("sha256", key, "", PURPOSE, KEY_BYTES)),
  );
  const [current] = keys;
  if (current === undefined) throw new RangeError("links to documents need a key");
  return {
    urlOf: (publicUrl, documentId, until) => {
      const expires = String(Math.floor(until.getTime() / 1_000));
      const signature = sign(current, documentId, expires).toString("base64url");
      return `${publicUrl}/v2/documents/${documentId}?expires=${expires}&signature=${signature}`;
    },
    stateOf: (documentId, { expires, signature }, now) => {
      if (!/^\d{1,12}$/.test(expires) || !/^[\w-]{43}$/.test(signature)) return "foreign";
      const given = Buffer.from(signature, "base64url");
      // Every key is tried, so that timing does not reveal which one matched.
      const isOurs = keys
        .map((key) => timingSafeEqual(sign(key, documentId, expires), given))
        .includes(true);
      if (!isOurs) return "foreign";
      return now.getTime() < Number(expires) * 1_000 ? "valid" : "expired";
    },
  };
}

function sign(key: Buffer, documentId: string, expires: string): Buffer {
  return createHmac("sha256", key).update(`${documentId}\n${expires}`).digest();
}
