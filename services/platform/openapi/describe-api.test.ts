import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { writtenText } from "../http/body/fields.ts";
import { routesFor } from "../http/routing/route.ts";
import { describeApi, type ApiDescription } from "./describe-api.ts";

const { POST } = routesFor<string, "account">("account");
const upper = z.string().transform((text) => text.toUpperCase());

const country = upper.meta({ description: "Of this country", examples: ["us"] });

const route = POST("/things", "Create a thing", {
  answers: { 204: null },
  query: z.strictObject({ country: country.optional() }),
  body: z
    .strictObject({ name: upper, note: writtenText(5).optional() })
    .meta({ examples: [{ name: "one" }] }),
  handle: () => ({ status: 204 }),
});

const about: ApiDescription = {
  title: "Things",
  version: "1",
  description: "Things.",
  sections: [{ name: "Things", description: "Things.", paths: ["/things"] }],
  contact: "Us",
  key: "A key.",
  protected: [],
  limited: false,
};

describe("the description of an API", () => {
  it("shows the examples of what is sent, even if it is transformed", () => {
    const text = JSON.stringify(describeApi([route], about, ""));
    expect(text).toContain('"examples":[{"name":"one"}]');
    expect(text).toContain('"examples":["us"]');
  });

  it("shows how long a text may be", () => {
    const text = JSON.stringify(describeApi([route], about, ""));
    expect(text).toMatch(/"note":\{[^}]*"maxLength":5/);
  });

  it("describes a parameter as its schema, even if the value is transformed", () => {
    const { parameters } = describeApi([route], about, "").paths?.["/things"]?.post ?? {};
    expect(parameters).toContainEqual(
      expect.objectContaining({ name: "country", description: "Of this country" }),
    );
  });
});
