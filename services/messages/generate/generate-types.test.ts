import { runInNewContext } from "node:vm";
import { describe, expect, it } from "@jest/globals";
import { generateTypes } from "./generate-types.ts";

const textOf = (schema: unknown): string => `${JSON.stringify(schema, null, 2)}\n`;

describe("generateTypes", () => {
  it("generates an interface per record, a union per enum, and the schema", () => {
    const text = textOf({
      type: "record",
      name: "ParcelNote",
      doc: "A parcel.",
      fields: [
        { name: "id", doc: "Its id.", type: "string" },
        {
          name: "kind",
          type: ["null", { type: "enum", name: "Kind", symbols: ["unrecognized", "big"] }],
        },
        { name: "before", type: ["null", "Kind"] },
        { name: "sent_at", type: { type: "long", logicalType: "timestamp-millis" } },
        {
          name: "parts",
          type: {
            type: "array",
            items: { type: "record", name: "Part", fields: [{ name: "weight", type: "int" }] },
          },
        },
      ],
    });
    const generated = generateTypes("parcel.avsc", text);
    const [types, constants] = generated.split(/(?=export const)/);
    expect(types).toBe(`// Made from schemas/parcel.avsc by \`npm run messages\`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";
import type { EpochMs } from "../epoch-ms.ts";

export type Kind =
  | "unrecognized"
  | "big";

export interface Part {
  readonly weight: number;
}

/** A parcel. */
export interface ParcelNote {
  /** Its id. */
  readonly id: string;
  readonly kind: Kind | null;
  readonly before: Kind | null;
  readonly sent_at: EpochMs;
  readonly parts: readonly Part[];
}

`);
    expect(constants).toBe(`export const PARCEL_NOTE_TEXT = \`${text}\`;\n\n`);
    expect(generated).toMatch(/export const PARCEL_NOTE_SCHEMA = JSON\.parse\(PARCEL_NOTE_TEXT\)/);
  });

  it("escapes what a template literal would interpret", () => {
    const text = textOf({ type: "record", name: "Odd", doc: "`${x}` \\d", fields: [] });
    const literal = /_TEXT = (`[^]*`);/.exec(generateTypes("odd.avsc", text))?.[1] ?? "";
    expect(runInNewContext(literal)).toBe(text);
  });

  it("refuses an unknown type", () => {
    const fields = [{ name: "share", type: "double" }];
    expect(() => generateTypes("x.avsc", textOf({ type: "record", name: "X", fields }))).toThrow(
      "no type for the Avro type double",
    );
  });
});
