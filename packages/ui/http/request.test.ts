import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { once, Problem, unansweredOf, unreachable, type Unanswered } from "./request.ts";

describe("a request that got no answer", () => {
  it("promises nothing about what a command did, and speaks of no change where it read", () => {
    expect(unreachable("command", null).message).toMatch(/not known whether this was done/);
    expect(unreachable("read", null).message).toMatch(/may be out of date or missing/);
    for (const kind of ["read", "command"] as const) {
      expect(unreachable(kind, null).message).not.toMatch(/[Nn]othing was changed/);
    }
  });
});

const COMMENT = { path: "/comments", body: { body: "Page 2, please." } };
const { fetch: realFetch } = globalThis;

/** What the network does with each request, and the keys that they had. */
let answers: (() => Promise<Response>)[];
let keys: (string | null)[];

beforeEach(() => {
  answers = [];
  keys = [];
  globalThis.fetch = (_path, init) => {
    keys.push(new Headers(init?.headers).get("Idempotency-Key"));
    return (answers.shift() ?? lost)();
  };
});

afterEach(() => {
  globalThis.fetch = realFetch;
});

const lost = () => Promise.reject(new TypeError("Failed to fetch"));
const answered = (status: number) => () => Promise.resolve(Response.json({}, { status }));
/** An answer whose connection is cut before its end. */
const cut = () => {
  const body = new ReadableStream({
    pull: (stream) => {
      stream.error(new TypeError("network error"));
    },
  });
  return Promise.resolve(new Response(body, { status: 201 }));
};

async function failureOf(command: typeof COMMENT, unanswered: Unanswered): Promise<unknown> {
  return once(command, unanswered).catch((error: unknown) => error);
}

describe("a command", () => {
  it("has the same key until it is answered, also after a refusal of another try", async () => {
    const unanswered: Unanswered = { current: null };
    answers = [lost, answered(409), answered(401), answered(201), answered(201)];
    for (let n = 0; n < 3; n += 1) {
      expect(await failureOf(COMMENT, unanswered)).toBeInstanceOf(Problem);
    }
    await once(COMMENT, unanswered);
    await once(COMMENT, unanswered);
    expect(new Set(keys.slice(0, 4)).size).toBe(1);
    expect(keys[4]).not.toBe(keys[0]);
  });

  it("has another key where it says something else", async () => {
    const unanswered: Unanswered = { current: null };
    await failureOf(COMMENT, unanswered);
    await failureOf({ ...COMMENT, body: { body: "Page 3, please." } }, unanswered);
    await failureOf(COMMENT, unanswered);
    expect(new Set(keys).size).toBe(3);
  });

  it("has the same key in each dialog of a draft", async () => {
    await failureOf(COMMENT, unansweredOf("comment:1"));
    await failureOf(COMMENT, unansweredOf("comment:1"));
    await failureOf(COMMENT, unansweredOf("comment:2"));
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it("is unanswered where its answer is cut off", async () => {
    const unanswered: Unanswered = { current: null };
    answers = [cut];
    expect(await failureOf(COMMENT, unanswered)).toMatchObject({ code: "unreachable", status: 0 });
    await failureOf(COMMENT, unanswered);
    expect(keys[1]).toBe(keys[0]);
  });
});
