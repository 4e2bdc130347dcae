import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { SseParser } from "./sse-parser.ts";

const TEXT =
  'retry: 2000\n\nid: 1\nevent: loa.signed\ndata: {"a":"b: c"}\n\n:\n\nid: 2\r\nevent: x\r\ndata:1\r\ndata: 2\r\n\r\n';

const MESSAGES = [
  { id: "1", event: "loa.signed", data: '{"a":"b: c"}' },
  { id: "2", event: "x", data: "1\n2" },
];

describe("the messages of a stream", () => {
  it("are the same however the text is cut into pieces; heartbeats are none", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(TEXT.length)), (places) => {
        const cuts = [0, ...places.toSorted((a, b) => a - b), TEXT.length];
        const parser = new SseParser();
        const found = cuts.flatMap((at, n) => parser.push(TEXT.slice(at, cuts[n + 1] ?? at)));
        expect(found).toEqual(MESSAGES);
      }),
    );
  });

  it("that were cut off are not yielded", () => {
    expect(new SseParser().push("id: 3\ndata: half\n")).toEqual([]);
  });
});
