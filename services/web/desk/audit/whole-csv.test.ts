import { describe, expect, it } from "@jest/globals";
import { wholeCsv } from "./whole-csv.ts";

const HEAD = "id,action\r\n";

function answer(text: string, next?: string): Response {
  const headers = next === undefined ? {} : { Link: `<${next}>; rel="next"` };
  return new Response(text, { headers });
}

describe("the audit log as CSV", () => {
  it("is every page that the filters find, from the first, with one line of names", async () => {
    const asked: string[] = [];
    const found = await wholeCsv("/desk/v1/audit?action=a&starting_after=9&limit=50", (path) => {
      asked.push(path);
      const isFirst = asked.length === 1;
      const next = "https://desk.example.com/desk/v1/audit?action=a&limit=250&starting_after=2";
      return Promise.resolve(
        isFirst ? answer(`${HEAD}1,a\r\n2,a\r\n`, next) : answer(`${HEAD}3,a\r\n`),
      );
    });
    expect(found).toEqual({ text: `${HEAD}1,a\r\n2,a\r\n3,a\r\n`, isWhole: true });
    expect(asked).toEqual([
      "/desk/v1/audit?action=a&limit=250",
      "/desk/v1/audit?action=a&limit=250&starting_after=2",
    ]);
  });

  it("goes on by a link that is only a path", async () => {
    const asked: string[] = [];
    const next = "/desk/v1/audit?limit=250&starting_after=1";
    const found = await wholeCsv("/desk/v1/audit", (path) => {
      asked.push(path);
      const isFirst = asked.length === 1;
      return Promise.resolve(isFirst ? answer(`${HEAD}1,a\r\n`, next) : answer(`${HEAD}2,a\r\n`));
    });
    expect(found).toEqual({ text: `${HEAD}1,a\r\n2,a\r\n`, isWhole: true });
    expect(asked).toEqual(["/desk/v1/audit?limit=250", next]);
  });

  it("ends at ten thousand entries, and says that there are more", async () => {
    let asked = 0;
    const { isWhole } = await wholeCsv("/desk/v1/audit?limit=50", () => {
      asked += 1;
      return Promise.resolve(answer(HEAD, "https://desk.example.com/desk/v1/audit?limit=250"));
    });
    expect([asked * 250, isWhole]).toEqual([10_000, false]);
  });
});
