import { describe, expect, it } from "@jest/globals";
import { csvOf } from "./csv.ts";

describe("csvOf", () => {
  it("writes a line of names and a line per row, quoting only where it must", () => {
    const at = new Date("2026-11-02T09:00:00.000Z");
    const rows = [
      { at, text: 'a "b", c', more: { x: 1 } },
      { at: null, text: "two\nlines", more: null },
    ];
    expect(csvOf(["at", "text", "more"], rows)).toBe(
      'at,text,more\r\n2026-11-02T09:00:00.000Z,"a ""b"", c","{""x"":1}"\r\n,"two\nlines",\r\n',
    );
    expect(csvOf(["at"], [])).toBe("at\r\n");
  });

  it.each(["=1+1", "+1", "-1", "@a", "\tx"])("lets no spreadsheet run %j", (text) => {
    expect(csvOf(["text"], [{ text }])).toBe(`text\r\n'${text}\r\n`);
  });

  it("leaves a phone number as it is, and nothing that only begins like one", () => {
    const rows = [
      { text: "+12125550123" },
      { text: "+12125550123-1" },
      { text: "+1212555012312345" },
    ];
    expect(csvOf(["text"], rows)).toBe(
      "text\r\n+12125550123\r\n'+12125550123-1\r\n'+1212555012312345\r\n",
    );
  });
});
