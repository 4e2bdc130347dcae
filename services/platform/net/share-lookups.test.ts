import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "@jest/globals";
import { shareLookups } from "./share-lookups.ts";

const LOCAL: LookupAddress = { address: "127.0.0.1", family: 4 };

function setUp() {
  const asked: string[] = [];
  const answers: ((addresses: LookupAddress[], error?: Error) => void)[] = [];
  const results: string[] = [];
  const resolve = shareLookups((hostname, _options, callback) => {
    asked.push(hostname);
    answers.push((addresses, error) => callback(error ?? null, addresses));
  });
  const ask = (hostname: string, family = 0): void =>
    resolve(hostname, { all: true, family }, (error, addresses) => {
      results.push(error?.message ?? addresses.map(({ address }) => address).join());
    });
  return { asked, answers, results, ask };
}

describe("shared lookups", () => {
  it("look up a name once, and share the result with all concurrent callers", () => {
    const { asked, answers, results, ask } = setUp();
    for (let n = 0; n < 3; n += 1) ask("hooks.example");
    ask("other.example");
    ask("hooks.example", 6);
    expect(asked).toEqual(["hooks.example", "other.example", "hooks.example"]);
    answers[0]?.([LOCAL]);
    expect(results).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.1"]);
  });

  it("cache no result, success or failure", () => {
    const { asked, answers, results, ask } = setUp();
    ask("hooks.example");
    answers[0]?.([], new Error("away"));
    ask("hooks.example");
    answers[1]?.([LOCAL]);
    expect(asked).toHaveLength(2);
    expect(results).toEqual(["away", "127.0.0.1"]);
  });
});
