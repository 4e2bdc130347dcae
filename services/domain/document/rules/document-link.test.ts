import { describe, expect, it } from "@jest/globals";
import { CARRIER_LINK_MS, createDocumentLinks, type LinkQuery } from "./document-link.ts";

const ID = "0198c0de-0000-7000-8000-000000000001";
const OTHER_ID = "0198c0de-0000-7000-8000-000000000002";
const NOW = new Date("2026-03-01T12:00:00Z");
const UNTIL = new Date(NOW.getTime() + CARRIER_LINK_MS);
const [OLD_KEY, KEY] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

const links = createDocumentLinks([KEY]);

function queryOf(url: string): LinkQuery {
  const { searchParams } = new URL(url);
  const of = (name: string): string => searchParams.get(name) ?? "";
  return { expires: of("expires"), signature: of("signature") };
}

const query = queryOf(links.urlOf("https://api.example.com", ID, UNTIL));
const after = (ms: number): Date => new Date(NOW.getTime() + ms);

describe("a link to a document", () => {
  it("is the document's URL with an expiry time and a signature", () => {
    expect(links.urlOf("https://api.example.com", ID, UNTIL)).toMatch(
      /^https:\/\/api\.example\.com\/v2\/documents\/0198c0de-0000-7000-8000-000000000001\?expires=1772971200&signature=[\w-]{43}$/,
    );
  });

  it("is valid until it expires, and then known as expired", () => {
    expect(links.stateOf(ID, query, NOW)).toBe("valid");
    expect(links.stateOf(ID, query, after(CARRIER_LINK_MS - 1))).toBe("valid");
    expect(links.stateOf(ID, query, after(CARRIER_LINK_MS))).toBe("expired");
  });

  it("is not valid for another document or a later expiry", () => {
    expect(links.stateOf(OTHER_ID, query, NOW)).toBe("foreign");
    const longer = String(Number(query.expires) + 1);
    expect(links.stateOf(ID, { ...query, expires: longer }, NOW)).toBe("foreign");
  });

  it.each(["", "x", "A".repeat(43), "é".repeat(43), `${query.signature}A`, "=".repeat(43)])(
    "is not valid with the signature %j",
    (signature) => {
      expect(links.stateOf(ID, { ...query, signature }, NOW)).toBe("foreign");
    },
  );

  it.each(["", "soon", "-1", "1e12", ` ${query.expires}`, "9".repeat(13)])(
    "is not valid with the expiry %j",
    (expires) => {
      expect(links.stateOf(ID, { ...query, expires }, NOW)).toBe("foreign");
    },
  );

  it("stays valid when a new key is added, until the old one is dropped", () => {
    const old = queryOf(
      createDocumentLinks([OLD_KEY]).urlOf("", ID, UNTIL).replace(/^/, "http://a"),
    );
    expect(createDocumentLinks([KEY, OLD_KEY]).stateOf(ID, old, NOW)).toBe("valid");
    expect(links.stateOf(ID, old, NOW)).toBe("foreign");
  });
});
