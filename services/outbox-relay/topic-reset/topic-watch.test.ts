import { describe, expect, it } from "@jest/globals";
import { shortPartitions } from "./topic-watch.ts";

const known = [
  { topic: "a", partition: 0, end: 5 },
  { topic: "a", partition: 1, end: 3 },
  { topic: "b", partition: 0, end: 9 },
];
const span = (partition: number, nextOffset: number) => ({ partition, firstOffset: 0, nextOffset });

describe("shortPartitions", () => {
  it("returns none if all have grown or stayed the same", () => {
    expect(shortPartitions(known, "a", [span(0, 5), span(1, 4)])).toEqual([]);
  });

  it("returns partitions that end before a known end", () => {
    expect(shortPartitions(known, "a", [span(0, 4), span(1, 4)])).toEqual([
      { partition: 0, known_end: 5, end: 4 },
    ]);
  });

  it("returns missing partitions as well", () => {
    expect(shortPartitions(known, "a", [span(0, 5)])).toEqual([
      { partition: 1, known_end: 3, end: 0 },
    ]);
  });
});
