import { describe, expect, it } from "@jest/globals";
import { changesOf, wholeCsv } from "./audit-entries.ts";

describe("what an entry of the audit log changed", () => {
  it("is only what differs, with what names the thing once", () => {
    const before = { port_out_id: "po-1", status: "decision_required" };
    const after = { port_out_id: "po-1", status: "rejected", code: "pin_invalid", reason: null };
    expect(changesOf(before, after)).toEqual([
      { name: "port out id", was: null, is: "po-1", isChanged: false },
      { name: "status", was: "decision required", is: "rejected", isChanged: true },
      { name: "code", was: null, is: "pin invalid", isChanged: true },
    ]);
  });

  it("strikes out nothing that a carrier's update left as it was, and reads its effect in words", () => {
    const before = { status: "in_process", provider_status: "RECEIVED" };
    const effect = {
      status: "in_process",
      numbers: [{ phone_number: "+12125550123", status: "active" }],
      events: [],
      ignored: null,
    };
    expect(changesOf(before, { raw_status: "PORTED", effect })).toEqual([
      { name: "provider status", was: null, is: "RECEIVED", isChanged: false },
      { name: "raw status", was: null, is: "PORTED", isChanged: true },
      {
        name: "numbers",
        was: null,
        is: "phone number +12125550123, status active",
        isChanged: true,
      },
    ]);
    const ignored = { code: "no_effect", detail: "It changes nothing." };
    expect(changesOf(null, { effect: { ...effect, numbers: [], ignored } })).toContainEqual(
      expect.objectContaining({ name: "ignored", is: "It changes nothing." }),
    );
  });

  it("names a claimer, and what was there where it is gone", () => {
    const ann = { id: "1", name: "Ann Reed" };
    expect(changesOf({ attempt: 1, claimed_by: ann }, { claimed_by: null })).toEqual([
      { name: "attempt", was: null, is: "1", isChanged: false },
      { name: "claimed by", was: "Ann Reed", is: null, isChanged: true },
    ]);
    expect(changesOf({ role: "lead" }, null)).toEqual([
      { name: "role", was: "lead", is: null, isChanged: true },
    ]);
  });
});

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
