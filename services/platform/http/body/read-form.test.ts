import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";

import {
  BOUNDARY,
  date,
  end,
  file,
  MAX,
  part,
  startFormServer,
  text,
  type FormServer,
} from "../../../../test/support/http/form-server.ts";

let server: FormServer;

beforeAll(async () => {
  server = await startFormServer();
});

afterEach(() => server.expectNothingLeft());
afterAll(() => server.stop());

describe("a form with a file", () => {
  it("is accepted in any order of its parts, whatever the file is called", async () => {
    for (const body of [file() + date + end, date + file() + end]) {
      const { status, answer } = await server.send(body);
      expect(status).toBe(200);
      expect(answer).toMatchObject({ found: "file", size: 8, kept: 8, date: "2026-03-01" });
    }
    for (const name of ["../../etc/passwd", "a\u0000b", "\u202Efdp.exe", "x".repeat(90_000), ""]) {
      expect((await server.send(file("%PDF-1.7", name) + date + end)).status).toBe(200);
    }
    const bare = part(`name=file`, "%PDF-1.7") + date + end;
    expect((await server.send(bare, { chunked: true })).status).toBe(200);
  });

  it("may be as large as the limit, and not a byte more", async () => {
    expect((await server.send(file("x".repeat(MAX)) + date + end)).answer).toMatchObject({
      kept: MAX,
    });
    for (const chunked of [false, true]) {
      const larger = await server.send(file("x".repeat(MAX + 1)) + date + end, { chunked });
      expect([larger.status, larger.code]).toEqual([413, "payload_too_large"]);
      const huge = await server.send(file("x".repeat(MAX * 20)) + date + end, { chunked });
      expect([huge.status, huge.code]).toEqual([413, "payload_too_large"]);
    }
  });

  it.each([
    ["nothing", "", ["#/file required", "#/date required"]],
    ["no parts", end, ["#/file required", "#/date required"]],
    ["no file", date + end, ["#/file required"]],
    ["no date", file() + end, ["#/date required"]],
    ["a bad date", file() + text("date", "tomorrow") + end, ["#/date invalid_format"]],
    ["two files", file() + date + file() + end, ["#/file repeated"]],
    ["two dates", file() + date + date + end, ["#/date repeated"]],
    [
      "a long text",
      file() + date + text("note", "x".repeat(5_000)) + end,
      ["#/note too_long", "#/note unknown_property"],
    ],
    [
      "another field",
      file() + date + text("status", "approved") + end,
      ["#/status unknown_property"],
    ],
    [
      "another file",
      file() + date + part('name="b"; filename="b"', "b") + end,
      ["#/b unknown_property"],
    ],
    ["__proto__", file() + date + text("__proto__", "1") + end, ["#/__proto__ unknown_property"]],
    ["no name", file() + date + part("filename=x", "1") + end, ["#/ unknown_property"]],
    [
      "half a character as a name",
      file() + date + part("name*=utf-16le''%00%D8", "1") + end,
      ["#/%EF%BF%BD unknown_property"],
    ],
    [
      "an unknown charset",
      file() +
        part('name="date"', "2026-03-01", "Content-Type: text/plain; charset=bogus\r\n") +
        text("x", "") +
        end,
      ["#/x unknown_property"],
    ],
    ["a line feed in a name", part('name="fi\nle"', "x") + date + end, ["#/file required"]],
  ])("with %s is 422", async (_, body, faults) => {
    const sent = await server.send(body);
    expect([sent.status, sent.faults]).toEqual([422, faults]);
  });

  it.each([
    ["no last boundary", file() + date],
    ["an end inside the file", file().slice(0, -12)],
    ["an end inside a header", `${date}--${BOUNDARY}\r\nContent-Disp`],
    ["another boundary", (file() + date + end).replaceAll(BOUNDARY, "other")],
    ["a body that is not a form", '{"value":"x"}'],
  ])("with %s is 400", async (_, body) => {
    for (const chunked of [false, true]) {
      const sent = await server.send(body, { chunked });
      expect([sent.status, sent.code]).toEqual([400, "malformed_json"]);
    }
  });

  it("with too many parts is 413", async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => text(`f${n}`, "")).join("");
    expect((await server.send(many + end)).code).toBe("payload_too_large");
    const nameless = `--${BOUNDARY}\r\n\r\n\r\n`.repeat(1_000);
    expect((await server.send(nameless + end)).code).toBe("payload_too_large");
  });

  it.each([
    ["multipart/form-data", 400, "invalid_header"],
    ["multipart/form-data; boundary=", 400, "invalid_header"],
    [`multipart/form-data; boundary=${"x".repeat(71)}`, 400, "invalid_header"],
    ['multipart/form-data; boundary="a\\"b"', 400, "invalid_header"],
    ["multipart/mixed; boundary=x", 415, "unsupported_media_type"],
    ["application/json", 415, "unsupported_media_type"],
    ["application/pdf", 415, "unsupported_media_type"],
    ["application/x-www-form-urlencoded", 415, "unsupported_media_type"],
  ])("as %s is %d", async (type, status, code) => {
    for (const chunked of [false, true]) {
      const sent = await server.send(file() + end, { chunked, headers: { "Content-Type": type } });
      expect([sent.status, sent.code]).toEqual([status, code]);
      const empty = await server.send("", { chunked, headers: { "Content-Type": type } });
      expect(empty.code).toBe("validation_failed");
    }
  });

  it("is refused if the path takes JSON, or if compressed", async () => {
    expect((await server.send(file() + date + end, { kind: "text" })).status).toBe(415);
    const encoded = { headers: { "Content-Encoding": "gzip" } };
    expect((await server.send(file() + date + end, encoded)).status).toBe(415);
    const json = { kind: "text", headers: { "Content-Type": "application/json" } };
    expect((await server.send('{"value":"x"}', json)).answer).toEqual({
      found: "text",
      value: "x",
    });
  });

  it.each([
    ["a second file", file("y".repeat(40_000)), [422, ["#/file repeated"]]],
    ["a nameless part", `--${BOUNDARY}\r\nX: y\r\n\r\n${"z".repeat(40_000)}\r\n`, [200, []]],
  ])("with %s, longer than a buffer, is answered wherever it is", async (_, odd, answer) => {
    for (const body of [file() + date + odd + end, file() + odd + date + end]) {
      const sent = await server.send(body);
      expect([sent.status, sent.faults]).toEqual(answer);
    }
  });

  it("never causes a 500, however broken it is", async () => {
    const good = Buffer.from(date + file("x".repeat(300)) + text("more", "y") + end);
    const broken = fc.tuple(fc.nat(good.length), fc.nat(80), fc.uint8Array({ maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(broken, async ([at, cut, put]) => {
        const body = Buffer.concat([good.subarray(0, at), put, good.subarray(at + cut)]);
        const { status } = await server.send(body);
        expect([200, 400, 413, 422]).toContain(status);
      }),
      { numRuns: 300 },
    );
  });
});
