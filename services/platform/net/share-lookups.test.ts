import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "@jest/globals";
import { shareLookups } from "./share-lookups.ts";

const LOCAL: LookupAddress = { address: "127.0.0.1", family: 4 };

function setUp() {
  const asked: string[] = [];
  const answers: ((addresses: LookupAddress[], error?: Error) => void)[] = [];
  const told: string[] = [];
  const resolve = shareLookups((hostname, _options, callback) => {
    asked.push(hostname);
    answers.push((addresses, error) => callback(error ?? null, addresses));
  });
  const ask = (hostname: string, family = 0): void =>
    resolve(hostname, { all: true, family }, (error, addresses) => {
      told.push(error?.message ?? addresses.map(({ address }) => address).join());
    });
  return { asked, answers, told, ask };
}

describe("shared lookups", () => {
  it("ask for a name once, and tell all who asked meanwhile", () => {
    const { asked, answers, told, ask } = setUp();
    for (let n = 0; n < 3; n += 1) ask("hooks.example");
    ask("other.example");
    ask("hooks.example", 6);
    expect(asked).toEqual(["hooks.example", "other.example", "hooks.example"]);
    answers[0]?.([LOCAL]);
    expect(told).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.1"]);
  });

  it("keep no answer, good or bad", () => {
    const { asked, answers, told, ask } = setUp();
    ask("hooks.example");
    answers[0]?.([], new Error("away"));
    ask("hooks.example");
    answers[1]?.([LOCAL]);
    expect(asked).toHaveLength(2);
    expect(told).toEqual(["away", "127.0.0.1"]);
  });
});
