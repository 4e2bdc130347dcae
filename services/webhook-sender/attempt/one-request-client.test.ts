import { describe, expect, it } from "@jest/globals";
import { AnswerHeads } from "./one-request-client.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";

/** What the parser gets of an answer that arrives in pieces of so many bytes. */
function read(answer: string, size = answer.length): string {
  const heads = new AnswerHeads();
  heads.expectAnswer();
  let text = "";
  for (let at = 0; at < answer.length; at += size) {
    text += heads.read(Buffer.from(answer.slice(at, at + size))).toString();
  }
  return text;
}

describe("the heads of a receiver's answers", () => {
  it.each([
    ["is as it came", `${OK}{}`, `${OK}{}`],
    [
      "has spaces in place of a fold",
      "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n",
      "HTTP/1.1 200 OK\r\nA: b   c\r\n\r\n",
    ],
    [
      "is unfolded with bare line feeds and tabs",
      "HTTP/1.1 200 OK\nA: b\n\tc\n\td\n\n",
      "HTTP/1.1 200 OK\nA: b \tc \td\n\n",
    ],
    [
      "is not folded at its first line",
      "HTTP/1.1 200 OK\r\n A: b\r\n\r\n",
      "HTTP/1.1 200 OK\r\n A: b\r\n\r\n",
    ],
    ["has a body that is not touched", `${OK}a\r\n b`, `${OK}a\r\n b`],
    [
      "follows a 100, which reads as a 102",
      `HTTP/1.1 100 Continue\r\n\r\n${OK}`,
      `HTTP/1.1 102 Continue\r\n\r\n${OK}`,
    ],
    [
      "follows two of them after empty lines",
      `\r\nHTTP/1.1 100\r\n\r\nHTTP/1.1 101 S\r\nA: b\r\n c\r\n\r\n${OK}`,
      `\r\nHTTP/1.1 102\r\n\r\nHTTP/1.1 102 S\r\nA: b   c\r\n\r\n${OK}`,
    ],
    ["may be none of HTTP", "<html>\r\n 100", "<html>\r\n 100"],
  ])("each %s, however it arrives", (_what, answer, expected) => {
    for (const size of [answer.length, 1, 2, 3, 7]) expect(read(answer, size)).toBe(expected);
  });

  it("end at a blank line at once, without the next byte", () => {
    expect(read("HTTP/1.1 204 No\r\n\r\n", 1)).toMatch(/\r\n\r\n$/);
  });

  it("are read again for each request of the connection", () => {
    const heads = new AnswerHeads();
    heads.expectAnswer();
    heads.read(Buffer.from(`${OK}{}`));
    heads.expectAnswer();
    expect(heads.read(Buffer.from("HTTP/1.1 100 C\r\n\r\n")).toString()).toMatch(/^HTTP\/1.1 102/);
  });

  it("recognize a connection that was used before and brought nothing since", () => {
    const heads = new AnswerHeads();
    heads.expectAnswer();
    expect(heads.isStale).toBe(false);
    heads.read(Buffer.from(OK));
    heads.expectAnswer();
    expect(heads.isStale).toBe(true);
    heads.read(Buffer.from("H"));
    expect(heads.isStale).toBe(false);
  });
});
