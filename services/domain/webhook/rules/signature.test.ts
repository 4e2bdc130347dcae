import { createHmac } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { newSigningSecret, signatureHeaders } from "./signature.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const at = new Date("2026-03-01T12:00:00.900Z");
const eventId = "0195c000-0000-7000-8000-000000000001";
const body = Buffer.from('{"id":"é"}');

describe("the signature of an attempt", () => {
  it("is the hex HMAC of t.body keyed with the whole secret", () => {
    const headers = signatureHeaders({ eventId, body, at, secrets: [SECRET] });
    const hex = createHmac("sha256", Buffer.from(SECRET, "utf8"))
      .update(Buffer.concat([Buffer.from("1772366400."), body]))
      .digest("hex");
    expect(headers["Porting-Signature"]).toBe(`t=1772366400,v1=${hex}`);
  });

  it("is also the base64 HMAC of id.t.body keyed with the encoded bytes", () => {
    const headers = signatureHeaders({ eventId, body, at, secrets: [SECRET] });
    const base64 = createHmac("sha256", Buffer.from(SECRET.slice(6), "base64"))
      .update(Buffer.concat([Buffer.from(`${eventId}.1772366400.`), body]))
      .digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${base64}`);
    expect(headers["webhook-id"]).toBe(eventId);
    expect(headers["webhook-timestamp"]).toBe("1772366400");
  });

  it("matches a golden vector", () => {
    const headers = signatureHeaders({
      eventId: "evt",
      body: Buffer.from("{}"),
      at: new Date(0),
      secrets: ["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="],
    });
    expect(headers["Porting-Signature"]).toBe(
      "t=0,v1=cefdb8ac7cfb82d8f784bad72fe73c3fa35faab8c0cd150c653959c486c77256",
    );
    expect(headers["webhook-signature"]).toBe("v1,PnivmIRd39WRUTY0ZznNSpdbT0PP5n5M+b5iIEa79p0=");
  });

  it("uses both secrets while a rotation overlaps, the new one first", () => {
    const older = newSigningSecret();
    const both = signatureHeaders({ eventId, body, at, secrets: [SECRET, older] });
    const [t, first, second] = both["Porting-Signature"].split(",");
    const alone = signatureHeaders({ eventId, body, at, secrets: [older] });
    expect(alone["Porting-Signature"]).toBe(`${t ?? ""},${second ?? ""}`);
    expect(first).not.toBe(second);
    expect(both["webhook-signature"].split(" ")).toHaveLength(2);
  });
});

describe("a new signing secret", () => {
  it("is whsec_ and the base64 of 32 bytes", () => {
    const secret = newSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSigningSecret()).not.toBe(secret);
  });
});
