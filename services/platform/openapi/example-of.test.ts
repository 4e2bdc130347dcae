import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { exampleOf } from "./example-of.ts";
import { createSchema } from "zod-openapi";

const part = z.object({ slug: z.string().meta({ examples: ["loa"] }) }).meta({ id: "Part" });
const thing = z.object({
  id: z.string().meta({ format: "uuid" }),
  at: z.string().meta({ format: "date-time" }),
  status: z.enum(["new", "old"]),
  closed_at: z.string().meta({ format: "date-time" }).nullable(),
  part_id: z.string().meta({ format: "uuid" }).nullable(),
  count: z.int().min(5),
  parts: z.array(part),
  reason: z.string().nullable().optional(),
});

function example(schema: z.ZodType): unknown {
  const { schema: written, components } = createSchema(schema, { io: "output" });
  return exampleOf({ ...written }, components);
}

describe("the example of a schema", () => {
  it("is valid for the schema", () => {
    const uuid = expect.stringMatching(/^0198c0de-0000-7000-8000-[0-9a-f]{12}$/);
    expect(thing.parse(example(thing))).toEqual({
      id: uuid,
      at: "2026-03-02T14:00:00.000Z",
      status: "new",
      closed_at: null,
      part_id: uuid,
      count: 5,
      parts: [{ slug: "loa" }],
    });
  });

  it("has the same id for the same name", () => {
    const other = z.object({ part_id: z.string().meta({ format: "uuid" }) });
    expect(example(thing)).toMatchObject(other.parse(example(other)));
  });
});
