import { expect, it } from "@jest/globals";
import { countBreaches } from "./run-scenario.ts";

it.each([
  ["lost: created of order o", "lost"],
  ["not delivered: e at /all", "lost"],
  ["feed lacks e", "lost"],
  ["call c is logged 0 times", "lost"],
  ["port-out of +12125550000 is logged 0 times", "lost"],
  ["not live: the number of order o", "lost"],
  ["not ended: order o is submitted", "lost"],
  ["doubled: created of order o", "doubled"],
  ["feed: an event is there twice", "doubled"],
  ["c is logged 2 times", "doubled"],
  ["call c is logged 10 times", "doubled"],
  ["other bytes: e at /all", "other"],
  ["chain: order o was draft, not in_review", "other"],
  ["dead letter: t at 0/1: undecodable", "other"],
])("%s is counted as %s", (breach, kind) => {
  expect(countBreaches([breach])).toEqual({ lost: 0, doubled: 0, other: 0, [kind]: 1 });
});
