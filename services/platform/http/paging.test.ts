import { describe, expect, it } from "@jest/globals";
import { z } from "zod";

import { AppError } from "../errors.ts";
import {
  isFound,
  keyset,
  page,
  pageQuery,
  scanFrom,
  unknownCursor,
  type PageQuery,
} from "./paging.ts";

const LIST = ["e", "d", "c", "b", "a"];

/** A store over five rows, `a` the oldest, that scans as `keyset` specifies. */
function scan(query: PageQuery): string[] {
  const { direction, comparison, cursorId, fetch } = keyset(query);
  const inside = LIST.filter(
    (id) => cursorId === null || (comparison === ">" ? id > cursorId : id < cursorId),
  );
  return (direction === "asc" ? inside.toReversed() : inside).slice(0, fetch);
}

function read(query: Partial<PageQuery>, search = "") {
  const full = { limit: 2, order: "desc", ...query } as const;
  const request = { query: full, path: "/v2/things", search, publicUrl: "" };
  const rows = scan(full).map((id) => ({ id }));
  const reply = page(request, rows);
  const { data, has_more } = reply.body as { data: { id: string }[]; has_more: boolean };
  return { body: { data: data.map(({ id }) => id), has_more }, link: reply.headers?.["Link"] };
}

describe("page", () => {
  it.each([
    [{}, ["e", "d"], "starting_after=d"],
    [{ starting_after: "d" }, ["c", "b"], "starting_after=b"],
    [{ starting_after: "b" }, ["a"], null],
    [{ ending_before: "a" }, ["c", "b"], "ending_before=c"],
    [{ ending_before: "c" }, ["e", "d"], null],
    [{ order: "asc" }, ["a", "b"], "starting_after=b"],
    [{ order: "asc", starting_after: "b" }, ["c", "d"], "starting_after=d"],
    [{ order: "asc", starting_after: "d" }, ["e"], null],
    [{ order: "asc", ending_before: "e" }, ["c", "d"], "ending_before=c"],
    [{ order: "asc", ending_before: "c" }, ["a", "b"], null],
    [{ starting_after: "a" }, [], null],
  ] as const)("%j", (query, data, next) => {
    const link = next === null ? undefined : `</v2/things?${next}>; rel="next"`;
    expect(read(query)).toEqual({ body: { data, has_more: next !== null }, link });
  });

  it("reaches every row once, in either direction", () => {
    for (const order of ["asc", "desc"] as const) {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const full = { limit: 2, order, starting_after: after };
        const rows = scan(full).slice(0, 2);
        seen.push(...rows);
        after = rows.at(-1);
      } while (after !== undefined);
      expect(seen).toEqual(order === "desc" ? LIST : LIST.toReversed());
    }
  });

  it("keeps filters in the link, drops the old cursor and escapes what would break the header", () => {
    const search = "limit=2&status=a+b&starting%5Fafter=x&note=%3C>&ending_before=y";
    expect(read({}, search).link).toBe(
      '</v2/things?limit=2&status=a+b&note=%3C%3E&starting_after=d>; rel="next"',
    );
  });
});

describe("pageQuery", () => {
  const schema = z.strictObject(pageQuery);

  it("defaults to a limit of 50 and the newest first", () => {
    expect(schema.parse({})).toEqual({ limit: 50, order: "desc" });
  });

  it("reads instants with any offset, clamped to what the database can compare", () => {
    const query = schema.parse({
      created_after: "2026-01-01T00:00:00+14:00",
      created_before: "0001-01-01T00:00:00Z",
    });
    expect(query.created_after?.toISOString()).toBe("2025-12-31T10:00:00.000Z");
    expect(query.created_before?.getTime()).toBe(0);
  });

  it("is described as it is validated", () => {
    const described = z.toJSONSchema(schema, { io: "input" });
    expect(described.properties?.["limit"]).toMatchObject({
      type: "integer",
      minimum: 1,
      maximum: 250,
    });
  });
});

describe("cursors", () => {
  const query = { limit: 2, order: "desc" } as const;
  const faultOf = (act: () => unknown) => {
    try {
      return act();
    } catch (error) {
      return error;
    }
  };

  it("are refused if both are given", () => {
    const both = { ...query, starting_after: "a", ending_before: "b" };
    expect(faultOf(() => keyset(both))).toMatchObject({
      code: "invalid_parameter",
      faults: [{ parameter: "ending_before", code: "conflict" }],
    });
  });

  it("are refused by name if they are unknown", () => {
    const named = (error: AppError) => error.faults[0]?.parameter;
    expect(named(unknownCursor({ ...query, starting_after: "x" }))).toBe("starting_after");
    expect(named(unknownCursor({ ...query, ending_before: "x" }))).toBe("ending_before");
  });
});

describe("scanFrom", () => {
  const query = { limit: 2, order: "desc" } as const;
  const cursorId = "c";
  const asked = (answer: boolean) => {
    const ids: string[] = [];
    const knows = (id: string) => {
      ids.push(id);
      return Promise.resolve(answer);
    };
    return { ids, knows };
  };

  it("looks up no cursor if none is given", async () => {
    const { ids, knows } = asked(false);
    expect(await scanFrom(query, knows)).toEqual(keyset(query));
    expect(ids).toEqual([]);
  });

  it.each(["starting_after", "ending_before"] as const)("looks up %s", async (name) => {
    const given = { ...query, [name]: cursorId };
    const { ids, knows } = asked(true);
    expect(await scanFrom(given, knows)).toEqual(keyset(given));
    expect(ids).toEqual([cursorId]);
    await expect(scanFrom(given, asked(false).knows)).rejects.toMatchObject({
      code: "invalid_parameter",
      faults: [{ parameter: name, code: "unknown_id" }],
    });
  });

  it("refuses both cursors before it looks up either", async () => {
    const { ids, knows } = asked(true);
    const both = { ...query, starting_after: "a", ending_before: "b" };
    await expect(scanFrom(both, knows)).rejects.toMatchObject({ faults: [{ code: "conflict" }] });
    expect(ids).toEqual([]);
  });

  it.each([
    new AppError("database_unavailable", "The database is not available.", { retryable: true }),
    new Error("connection terminated"),
  ])("does not report an unknown cursor if the read failed: %s", async (outage) => {
    const read = () => isFound(Promise.reject(outage));
    await expect(scanFrom({ ...query, starting_after: cursorId }, read)).rejects.toBe(outage);
  });
});

describe("the time of a list's query", () => {
  const times = z.object(pageQuery);

  it("is taken without seconds, and with a short offset", () => {
    const { created_after } = times.parse({ created_after: "2026-12-15T10:00+01" });
    expect(created_after).toEqual(new Date("2026-12-15T09:00:00Z"));
  });

  it.each([
    ["2026-12-15T10:00:00", /no offset from UTC/],
    ["2026-12-15T10:00:00 01:00", /in a URL, \+ is %2B/],
  ])("is refused with its reason: %s", (created_before, reason) => {
    const faults = times.safeParse({ created_before }).error?.issues;
    expect(faults).toMatchObject([{ message: expect.stringMatching(reason) }]);
  });
});

describe("isFound", () => {
  it("distinguishes a row from none", async () => {
    expect(await isFound(Promise.resolve({ id: "a" }))).toBe(true);
    const none = new AppError("not_found", "There is no such thing.");
    expect(await isFound(Promise.reject(none))).toBe(false);
  });
});
