import { describe, expect, it } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { addFormats } from "../../../test/support/openapi/document-schemas.ts";
import { EVENTS, SENT_EVENT_TYPES, type SentEventType } from "../../messages/events.ts";
import { EVENT_CATALOGUE, type CatalogueEntry } from "./event-catalogue.ts";

/** A validator of a type's schema alone: it fails to compile where the schema refers to another document. */
function validatorOf({ schema }: CatalogueEntry) {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
  addFormats(ajv);
  return ajv.compile(schema);
}

/** Every way to break a body by one fault: a field taken away, or a value of another type. */
function brokenOnce(body: object): object[] {
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const inner = isObject ? brokenOnce(value) : [];
    const without = Object.fromEntries(Object.entries(body).filter(([other]) => other !== name));
    return [without, { ...body, [name]: 0.5 }, ...inner.map((one) => ({ ...body, [name]: one }))];
  });
}

describe("the event catalogue", () => {
  it("has every type that is sent, in the contract's order", () => {
    expect(EVENT_CATALOGUE.map(({ type }) => type)).toEqual(SENT_EVENT_TYPES);
  });

  it.each(EVENT_CATALOGUE.map((entry) => [entry.type, entry] as const))(
    "has a sample of %s that its schema accepts, and accepts no more when it is broken",
    (type, entry) => {
      const validate = validatorOf(entry);
      expect([validate(entry.sample), validate.errors]).toEqual([true, null]);
      expect(entry.sample).toMatchObject({ type });
      const broken = brokenOnce(entry.sample);
      expect(broken.length).toBeGreaterThan(10);
      expect(broken.filter((body) => validate(body))).toEqual([]);
    },
  );

  it("says in a sentence of its own when each type is published", () => {
    const texts = EVENT_CATALOGUE.map(({ publishedWhen }) => publishedWhen);
    expect(new Set(texts).size).toBe(SENT_EVENT_TYPES.length);
    expect(texts.filter((text) => !/^[A-Z][^]{20,}\.$/.test(text))).toEqual([]);
    const copied = texts.map((text) => text.toLowerCase());
    expect(SENT_EVENT_TYPES.filter((type) => copied.includes(EVENTS[type].firedWhen))).toEqual([]);
  });

  it("names the types before a type as those that name it as the next", () => {
    const pairs = (of: (entry: CatalogueEntry) => readonly [SentEventType, SentEventType][]) =>
      EVENT_CATALOGUE.flatMap(of)
        .map((pair) => pair.join(" → "))
        .sort();
    const next = pairs(({ type, precedes }) => precedes.map((other) => [type, other]));
    expect(next.length).toBeGreaterThan(30);
    expect(pairs(({ type, follows }) => follows.map((other) => [other, type]))).toEqual(next);
  });

  it("begins with an order's creation, and ends where a draft, a call or a number has gone", () => {
    const typesWith = (is: (entry: CatalogueEntry) => boolean) =>
      EVENT_CATALOGUE.filter(is).map(({ type }) => type);
    expect(typesWith(({ follows }) => follows.length === 0)).toEqual(["porting_order.created"]);
    expect(typesWith(({ precedes }) => precedes.length === 0)).toEqual([
      "porting_order.deleted",
      "call.completed",
      "call.missed",
      "number.ported_out",
    ]);
  });
});
