import { describe, expect, it } from "@jest/globals";
import { ORDER_KINDS } from "../../domain/requirement/rules/catalogue.ts";
import { EXCEPTION_CATALOGUE } from "../../domain/order/rules/exception-catalogue.ts";
import { rejectionReasonAnswer } from "./reason-answer.ts";
import { codesFor, concerns, REJECTION_REASONS } from "./rejection-reasons.ts";

const FIELDS = ORDER_KINDS.flatMap(({ profile }) => profile);
const OWN = [
  "document_illegible",
  "document_wrong",
  "document_incomplete",
  "document_unsigned",
  "signer_mismatch",
  "numbers_missing",
  "document_too_old",
];

describe("the reasons for rejections", () => {
  it("are the canonical catalogue and the desk's own, each once and with a text", () => {
    const canonical = EXCEPTION_CATALOGUE.map(({ code }) => code);
    expect(REJECTION_REASONS.map(({ code }) => code)).toEqual([...canonical, ...OWN]);
    for (const reason of REJECTION_REASONS) {
      expect(rejectionReasonAnswer.parse(reason).text).toMatch(/^[A-Z].+\.$/);
    }
  });

  it("concern requirements that orders ask for, and each requirement has one besides other", () => {
    const asked = new Set(FIELDS.map(({ slug }) => slug));
    for (const { code, slugs } of REJECTION_REASONS) {
      for (const slug of slugs) expect([code, asked.has(slug)]).toEqual([code, true]);
    }
    for (const slug of asked) expect(codesFor(slug)).toContain("other");
  });

  it("are about documents where the requirement is one", () => {
    for (const { slug, value } of FIELDS) {
      expect(concerns("document_illegible", slug)).toBe(value.format === "document");
    }
    expect(concerns("document_unsigned", "loa")).toBe(true);
    expect(concerns("document_unsigned", "invoice")).toBe(false);
  });

  it("fit what their slugs hold, and other fits a requirement of long ago", () => {
    for (const { code, slugs } of REJECTION_REASONS) {
      for (const { slug } of FIELDS) expect(concerns(code, slug)).toBe(slugs.includes(slug));
    }
    expect(concerns("other", "no_longer_asked")).toBe(true);
    expect(concerns("no_such_code", "loa")).toBe(false);
  });
});
