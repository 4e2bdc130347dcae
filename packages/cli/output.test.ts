import { stripVTControlCharacters } from "node:util";
import pc from "picocolors";
import { describe, expect, it } from "@jest/globals";
import {
  paintStatus,
  renderRecord,
  renderRows,
  shortTime,
  visible,
  type Column,
} from "./output.ts";

interface Row {
  readonly id: string;
  readonly status: string;
  readonly note: string | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { name: "id", of: ({ id }) => id },
  { name: "status", of: ({ status }) => status, paint: paintStatus },
  { name: "note", of: ({ note }) => note },
];
const ROWS: Row[] = [
  { id: "1", status: "completed", note: "a\tb\nc" },
  { id: "22", status: "failed", note: null },
];
const plain = { isTerminal: true, paint: pc.createColors(false) };
const coloured = { isTerminal: true, paint: pc.createColors(true) };
const piped = { isTerminal: false, paint: pc.createColors(false) };

describe("a list", () => {
  it("is a table with a head in a terminal", async () => {
    const lines = (await renderRows(ROWS, COLUMNS, plain)).split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^id +status +note$/);
    expect(lines[1]).toMatch(/^1 +completed +a b c$/);
    expect(lines[2]).toMatch(/^22 +failed$/);
    const places = lines.map((line, n) => line.indexOf(["status", "completed", "failed"][n] ?? ""));
    expect(new Set(places).size).toBe(1);
  });

  it("colours what a status means, and keeps its columns", async () => {
    const text = await renderRows(ROWS, COLUMNS, coloured);
    expect(text).toContain("\u001b[32mcompleted");
    expect(text).toContain("\u001b[31mfailed");
    const bare = stripVTControlCharacters(text).replaceAll(/ +$/gm, "");
    expect(bare).toBe(await renderRows(ROWS, COLUMNS, plain));
  });

  it("is tab-separated lines in a pipe, one for each item", async () => {
    expect(await renderRows(ROWS, COLUMNS, piped)).toBe("1\tcompleted\ta b c\n22\tfailed\t");
  });
});

describe("a record", () => {
  it("has its fields below each other, without those that have no value", () => {
    const fields = { id: "1", "losing carrier": null, status: "draft" };
    expect(renderRecord(fields, plain)).toBe("id      1\nstatus  draft");
    expect(renderRecord(fields, piped)).toBe("id\t1\nstatus\tdraft");
  });
});

describe("a time", () => {
  it.each([
    ["2026-03-02T14:00:00.123Z", "2026-03-02 14:00:00Z"],
    [null, ""],
  ])("%j is shown as %j", (time, text) => {
    expect(shortTime(time)).toBe(text);
  });
});

describe("text of others", () => {
  it("cannot move the cursor or name the window; colours and lines stay", () => {
    expect(visible("a\u001b]0;title\u0007\u001b[2Jb\rc\u009b1m")).toBe("a�]0;title��[2Jb�c�1m");
    const kept = `${pc.createColors(true).red("red")}\n\ttab\r\nend`;
    expect(visible(kept)).toBe(kept);
  });
});
