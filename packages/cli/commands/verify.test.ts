import { describe, expect, it } from "@jest/globals";
import { webhookHeaders } from "../../client/webhooks.ts";
import { explainSignature, isValid, type Question } from "./verify.ts";

const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
const AT = 1_767_225_600;
const BODY = '{"id":"1","type":"loa.signed","created_at":"2026-01-01T00:00:00.000Z","payload":{}}';

const signing = { eventId: "1", eventType: "loa.signed", secret: SECRET, atSeconds: AT };
const header = webhookHeaders(BODY, signing)["Porting-Signature"] ?? "";

function explain(changes: Partial<Question>) {
  return explainSignature({
    header,
    secrets: [SECRET],
    body: Buffer.from(BODY),
    nowSeconds: AT + 5,
    toleranceSeconds: 300,
    sent: null,
    ...changes,
  });
}

describe("the explanation of a signature", () => {
  it("that holds says so of time, secret and body", () => {
    const found = explain({});
    expect(found).toMatchObject({ header: true, time: true, secret: true, body: true });
    expect(isValid(found)).toBe(true);
  });

  it("holds with the second of two secrets, as while one is being rotated", () => {
    expect(isValid(explain({ secrets: [OTHER, SECRET] }))).toBe(true);
  });

  it("names the time, by how much, and nothing else", () => {
    const found = explain({ nowSeconds: AT + 301 });
    expect(found).toMatchObject({ time: false, secret: true, body: true });
    expect(found.findings[0]).toMatch(/^Time: .*2026-01-01T00:00:00.000Z, 301 s ago/);
    expect(explain({ nowSeconds: AT - 301 }).findings[0]).toContain("301 s ahead");
    expect(isValid(found)).toBe(false);
  });

  it.each([
    ["a line break at the end", `${BODY}\n`, "whitespace"],
    ["other spaces", JSON.stringify(JSON.parse(BODY), null, 2), "written again"],
  ])("names the body without asking the service: %s", (_, body, finding) => {
    const found = explain({ body: Buffer.from(body) });
    expect(found).toMatchObject({ time: true, secret: true, body: false });
    expect(found.findings.join()).toContain(finding);
  });

  it("names the body where the service's own is signed, with the first difference", () => {
    const found = explain({ body: Buffer.from(BODY.replace("loa", "LOA")), sent: BODY });
    expect(found).toMatchObject({ secret: true, body: false });
    expect(found.findings.join()).toContain('has "LOA.signed');
  });

  it.each([
    ["spaces around it", ` ${SECRET}\n`, "spaces"],
    ["no prefix", SECRET.slice("whsec_".length), "prefix"],
  ])("names the secret, copied wrongly: %s", (_, secret, finding) => {
    const found = explain({ secrets: [secret] });
    expect(found).toMatchObject({ secret: false, body: true });
    expect(found.findings.join()).toContain(finding);
  });

  const anotherTime = header.replace(/t=\d+/, `t=${AT + 1}`);
  const another = { ...signing, eventId: "2" };
  const ofAnother = webhookHeaders(BODY.replace('"1"', '"2"'), another)["Porting-Signature"] ?? "";

  it.each([
    ["another secret", { secrets: [OTHER] }],
    ["another time", { header: anotherTime }],
    ["the header of another webhook", { header: ofAnother }],
  ])("blames neither secret nor header where each may be at fault: %s", (_, changes) => {
    const found = explain({ ...changes, sent: BODY });
    expect(found).toMatchObject({ header: true, secret: null, body: true });
    expect(found.findings.join()).toMatch(/secret is another one.*header.*another webhook.* t or/);
  });

  it("names a changed body also where secret or header is wrong too", () => {
    const body = Buffer.from(BODY.replace("loa", "LOA"));
    const found = explain({ secrets: [OTHER], body, sent: BODY });
    expect(found).toMatchObject({ secret: null, body: false });
    expect(found.findings.join()).toContain('has "LOA.signed');
  });

  it("leaves open which of them it is where nothing shows it", () => {
    expect(explain({ secrets: [OTHER] })).toMatchObject({ time: true, secret: null, body: null });
  });

  it("names a header that is not one", () => {
    expect(explain({ header: header.slice(0, 10) })).toMatchObject({ header: false, time: null });
  });
});
