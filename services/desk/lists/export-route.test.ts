import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { PageRows } from "../../platform/http/paging.ts";
import { FORMATS, pagesOf, textOf } from "./export-route.ts";

const answer = z.object({
  id: z.string(),
  account: z.object({ id: z.string(), name: z.string() }).nullable(),
  before: z.looseObject({}).nullable(),
});

/** A list of so many rows, in pages that may be shorter than they are asked for. */
function listOf(count: number, mostOnPage = 250) {
  const asked: { limit: number; starting_after: string | undefined }[] = [];
  const read = (paging: (typeof asked)[number]): Promise<PageRows<object>> => {
    asked.push(paging);
    const from = paging.starting_after === undefined ? 0 : Number(paging.starting_after) + 1;
    const to = Math.min(count, from + Math.min(paging.limit, mostOnPage));
    const rows = Array.from({ length: to - from }, (_, n) => ({
      id: String(from + n),
      account: { id: "a", name: "=1+1" },
      before: { x: 1 },
    }));
    return Promise.resolve({ rows, hasMore: to < count });
  };
  return { read, asked };
}

async function fileOf(count: number, as: keyof typeof FORMATS, most = 600): Promise<string> {
  const pages = pagesOf(listOf(count).read, most);
  let text = "";
  for await (const piece of textOf(await pages.next(), pages, FORMATS[as](answer))) text += piece;
  return text;
}

const linesOf = (text: string) => text.trimEnd().split(/\r?\n/);

describe("an export", () => {
  it("has the fields of the list as columns, each part of an object one, and runs no formula", async () => {
    expect(linesOf(await fileOf(1, "csv"))).toEqual([
      "id,account.id,account.name,before",
      `0,a,'=1+1,"{""x"":1}"`,
    ]);
    expect(linesOf(await fileOf(0, "csv"))).toEqual(["id,account.id,account.name,before"]);
    expect(JSON.parse(await fileOf(1, "ndjson"))).toMatchObject({ id: "0", before: { x: 1 } });
    expect(await fileOf(0, "ndjson")).toBe("");
  });

  it("has every row once, and says in its last line that there are more than it takes", async () => {
    const whole = linesOf(await fileOf(600, "ndjson")).map((line) => JSON.parse(line) as object);
    expect(whole.map((row) => ("id" in row ? row.id : null))).toEqual(
      Array.from({ length: 600 }, (_, n) => String(n)),
    );
    for (const as of ["csv", "ndjson"] as const) {
      const lines = linesOf(await fileOf(601, as));
      expect(lines).toHaveLength((as === "csv" ? 1 : 0) + 601);
      expect(lines.at(-1)).toContain("The export ends here");
    }
  });

  it("asks for no more than it takes, and goes on where a page ends early", async () => {
    const { read, asked } = listOf(700, 100);
    let rows = 0;
    for await (const page of pagesOf(read, 250)) rows += page.length;
    expect(rows).toBe(250);
    expect(asked.map(({ limit }) => limit)).toEqual([250, 150, 50]);
    expect(asked.map(({ starting_after: after }) => after)).toEqual([undefined, "99", "199"]);
  });
});
