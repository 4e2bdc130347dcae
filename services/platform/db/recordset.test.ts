import { describe, expect, it } from "@jest/globals";
import {
  arrayParameters,
  boundValues,
  columnArrays,
  insertInto,
  recordset,
  recordsetValue,
  unnested,
  type Columns,
} from "./recordset.ts";

const AT = new Date("2026-11-02T09:00:00.007Z");
const ROW = { id: "uuid", at: "timestamptz", data: "jsonb", key: "bytea" } as const;

describe("rows as one parameter", () => {
  it("are a table with the columns' names and types", () => {
    expect(recordset("$3", ROW)).toBe(
      "jsonb_to_recordset($3::jsonb) as u (id uuid, at timestamptz, data jsonb, key bytea)",
    );
  });

  it("keep milliseconds, and bytes as Postgres reads them; other properties are omitted", () => {
    const row = {
      id: "1",
      at: AT,
      data: { b: [null], a: "é" },
      key: Buffer.from("\0\xff", "latin1"),
    };
    expect(recordsetValue(ROW, [{ ...row, other: "left out" } as typeof row])).toBe(
      String.raw`[{"id":"1","at":"2026-11-02T09:00:00.007Z","data":{"b":[null],"a":"é"},"key":"\\x00ff"}]`,
    );
  });

  it("have null for absent values", () => {
    const nothing = { id: null, at: null, data: null, key: null };
    expect(JSON.parse(recordsetValue(ROW, [nothing]))).toEqual([nothing]);
  });

  it("are inserted column by column", () => {
    const { id, at } = ROW;
    expect(insertInto("a.b", { id, at }, "rows u").replaceAll(/\s+/g, " ")).toBe(
      "insert into a.b (id, at) select u.id, u.at from rows u",
    );
  });
});

describe("rows as one array per column", () => {
  const columns = { id: "uuid", at: "timestamptz" } as const satisfies Columns;

  it("are the last parameters, each under its column's name", () => {
    expect(arrayParameters(columns, 3)).toEqual({ id: "$3::uuid[]", at: "$4::timestamptz[]" });
    expect(columnArrays(columns, [{ id: "1", at: AT }])).toEqual([
      ["1"],
      ["2026-11-02T09:00:00.007Z"],
    ]);
  });

  it("are a table again", () => {
    expect(unnested({ id: "$3::uuid[]", at: "$4::timestamptz[]" })).toBe(
      "unnest($3::uuid[], $4::timestamptz[]) as u (id, at)",
    );
  });

  it("may be at most ten parameters, including those before them", () => {
    expect(arrayParameters(columns, 9)).toMatchObject({ at: "$10::timestamptz[]" });
    expect(() => arrayParameters(columns, 10)).toThrow("at most 10 parameters");
  });
});

describe("bound values", () => {
  it("are numbered after those that the text numbers itself", () => {
    const { values, bind } = boundValues("a", "b");
    expect([bind("c"), bind(null)]).toEqual(["$3", "$4"]);
    expect(values).toEqual(["a", "b", "c", null]);
  });
});
