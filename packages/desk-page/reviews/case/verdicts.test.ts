import { describe, expect, it } from "@jest/globals";
import type { CaseRequirement, EarlierCase, Match, ReviewCase } from "../reviews.ts";
import { EMPTY_DRAFT, withShown, withVerdicts } from "./draft.ts";
import {
  approval,
  approveAll,
  evidenceAgainst,
  evidenceIn,
  inReadingOrder,
  lastRejection,
  nextOpenField,
  numbersFound,
  previewOf,
  reasonsFor,
  sendableOf,
  stepFrom,
} from "./verdicts.ts";

type Duplicate = ReviewCase["duplicates"][number];

function numbers(count: number, found: boolean | null, from = 0): Match[] {
  return Array.from({ length: count }, (_, n) => ({
    what: "phone_number" as const,
    value: `+1212555${String(from + n).padStart(4, "0")}`,
    found,
    page: null,
  }));
}

describe("the numbers of an order in a document", () => {
  it("are counted, and those that are missing are named", () => {
    const matches = [...numbers(498, true), ...numbers(2, false, 498)];
    const { text, missing } = numbersFound(matches);
    expect(text).toBe("498 of 500 numbers found");
    expect(missing.map(({ value }) => value)).toEqual(["+12125550498", "+12125550499"]);
    expect(evidenceAgainst(matches)).toEqual([text]);
    expect(evidenceAgainst(numbers(500, false))).toEqual(["0 of 500 numbers found"]);
  });

  it("say nothing where the document cannot be read", () => {
    expect(numbersFound(numbers(500, null)).text).toBe("500 numbers: not readable");
    expect(evidenceAgainst(numbers(500, null))).toEqual([]);
    const part = [...numbers(3, true), ...numbers(2, null, 3)];
    expect(numbersFound(part).text).toBe("3 of 5 numbers found, 2 not readable");
    expect(evidenceAgainst(part)).toEqual([]);
  });

  it("speak for the order where all are found", () => {
    expect(evidenceAgainst(numbers(500, true))).toEqual([]);
  });
});

describe("what the documents say of the order", () => {
  const holder = (found: boolean | null): Match => {
    return { what: "entity_name", value: "Acme", found, page: null };
  };
  const age = { check: "age", state: "failed", code: "document_too_old" } as const;

  it("is a line for each, what speaks against it first", () => {
    const fields = [
      requirement("loa", { matches: [...numbers(500, true), holder(true)] }),
      requirement("identity", { matches: [holder(null)] }),
      requirement("invoice", { matches: [...numbers(500, false), holder(false)] }),
      requirement("bill", { checks: [{ ...age, detail: "40 days old, of at most 30" }] }),
      requirement("account_number"),
    ];
    expect(evidenceIn(fields).map(({ field, tone, text }) => [field.slug, tone, text])).toEqual([
      ["bill", "bad", "Age: 40 days old, of at most 30"],
      ["invoice", "warning", "0 of 500 numbers found, Account holder not found"],
      ["identity", "neutral", "A scan: no text to compare"],
      ["loa", "good", "500 of 500 numbers found, account holder found"],
    ]);
  });

  it("has why a field was rejected when it was last decided", () => {
    const verdict = (decision: "approve" | "reject", slug = "loa") => {
      const by = { operator: { id: "o", name: "Ada" }, at: "2026-03-02T14:00:00.000Z" };
      return { slug, decision, code: null, reason: "Unsigned.", ...by };
    };
    const attempt = (n: number, ...decisions: ReturnType<typeof verdict>[]) => {
      return { attempt: n, decisions } as unknown as EarlierCase;
    };
    const history = [attempt(2, verdict("reject", "invoice")), attempt(1, verdict("reject"))];
    expect(lastRejection(history, "loa")).toEqual({ attempt: 1, reason: "Unsigned." });
    expect(lastRejection([attempt(3, verdict("approve")), ...history], "loa")).toBeNull();
    expect(lastRejection([], "loa")).toBeNull();
  });
});

function requirement(slug: string, fields: Partial<CaseRequirement> = {}): CaseRequirement {
  return {
    slug,
    name: slug,
    field_type: "text",
    mandatory: true,
    scope: "order",
    values: [],
    status: "requirement-info-under-review",
    field_value: "x",
    previous_value: null,
    document_id: null,
    previous_document_id: null,
    document_date: null,
    checks: [],
    matches: [],
    ...fields,
  };
}

const FAILED = { check: "age", state: "failed", code: null, detail: null } as const;
const rejection = {
  slug: "pin",
  decision: "reject",
  code: "pin_invalid",
  reason: "Wrong.",
} as const;
const AT = "2026-03-02T09:00:00.000Z";

const NUMBER = "+12125550123";

const caseOf = (requirements: readonly CaseRequirement[], duplicates: Duplicate[] = []) => ({
  requirements: [...requirements],
  duplicates,
});

describe("approving all", () => {
  const fields = [
    requirement("name"),
    requirement("loa", { document_id: "d1" }),
    requirement("invoice", { document_id: "d2" }),
    requirement("old", { document_id: "d1", checks: [FAILED] }),
    requirement("done", { status: "approved" }),
    requirement("pin"),
    requirement("csr", { document_id: "d3" }),
  ];

  it("asks about a live order of another account, at one field for the whole order", () => {
    const at = "2026-03-02T14:00:00.000Z";
    const account = { id: "a", name: "Beta Ltd" };
    const duplicate = { order_id: "o", account, status: "submitted", created_at: at } as const;
    const all = caseOf(
      [requirement("name"), requirement("loa", { document_id: "d1" })],
      [{ ...duplicate, phone_number: NUMBER, count: 5 }],
    );
    expect(approveAll(all, withShown(EMPTY_DRAFT, "d1", 1, 1))).toEqual({
      verdicts: [approval("name")],
      doubtful: [
        {
          slug: "loa",
          name: "loa",
          against: [`${NUMBER} and 4 more are in a live order of Beta Ltd`],
        },
      ],
      left: [],
    });
  });

  it("leaves what was not shown, what failed a check, and what has a verdict", () => {
    const shown = withShown(withShown(EMPTY_DRAFT, "d1", 1, 1), "d3", 1, 50);
    expect(approveAll(caseOf(fields), withVerdicts(shown, [rejection]))).toEqual({
      verdicts: [approval("name"), approval("loa")],
      doubtful: [],
      left: [
        { name: "invoice", why: "its document was not shown" },
        { name: "old", why: "a check failed" },
        { name: "csr", why: "only 1 of its 50 pages was shown" },
      ],
    });
  });

  it("asks first about what the documents speak against", () => {
    const match = { what: "phone_number", value: NUMBER, found: false, page: null } as const;
    const signer = { what: "signer", value: "Ada", found: false, page: null } as const;
    const named = { ...signer, what: "entity_name", found: null } as const;
    const all = [
      requirement("invoice", { document_id: "d1", matches: [match, named] }),
      requirement("id_document", { document_id: "d1", matches: [signer] }),
      requirement("loa", { document_id: "d1", matches: [named] }),
    ];
    expect(approveAll(caseOf(all), withShown(EMPTY_DRAFT, "d1", 1, 1))).toEqual({
      verdicts: [approval("loa")],
      doubtful: [
        { slug: "invoice", name: "invoice", against: [`${NUMBER} not found`] },
        { slug: "id_document", name: "id_document", against: ["Signer not found"] },
      ],
      left: [],
    });
  });
});

describe("what is sent", () => {
  const requirements = [
    requirement("name"),
    requirement("pin"),
    requirement("csr", { status: "approved" }),
  ];
  const review = { attempt: 2, requirements };

  it("confirms where everything is approved", () => {
    const verdicts = [approval("name"), approval("pin")];
    const body = { attempt: 2, decisions: verdicts, confirm: true };
    expect(sendableOf(review, { verdicts })).toEqual({ kind: "confirm", body });
  });

  it("rejects with one rejection, also where other fields are undecided", () => {
    const body = { attempt: 2, decisions: [rejection], confirm: false };
    expect(sendableOf(review, { verdicts: [rejection] })).toEqual({ kind: "reject", body });
  });

  it("waits for the rest otherwise", () => {
    const verdicts = [approval("pin")];
    expect(sendableOf(review, { verdicts })).toEqual({ kind: "incomplete", undecided: ["name"] });
  });

  it("rejects also what was approved before", () => {
    const letter = { ...rejection, slug: "csr" };
    const body = { attempt: 2, decisions: [letter], confirm: false };
    expect(sendableOf(review, { verdicts: [letter] })).toEqual({ kind: "reject", body });
    const rejected = requirement("csr", { status: "requirement-info-exception" });
    const after = { attempt: 2, requirements: [rejected] };
    expect(sendableOf(after, { verdicts: [letter] })).toMatchObject({ kind: "confirm" });
  });

  it("leaves out what is no longer under review", () => {
    const verdicts = [approval("name"), approval("pin"), approval("csr")];
    const sent = sendableOf(review, { verdicts });
    expect(sent.kind === "confirm" && sent.body.decisions).toEqual(verdicts.slice(0, 2));
  });

  it("confirms a case that has nothing left to decide", () => {
    const body = { attempt: 2, decisions: [], confirm: true };
    const done = { attempt: 2, requirements: requirements.slice(2) };
    expect(sendableOf(done, { verdicts: [] })).toEqual({ kind: "confirm", body });
  });
});

describe("the preview", () => {
  it("has an event for each verdict, then the new status, and an exception for each rejection", () => {
    const { events, exceptions, status } = previewOf("order", [approval("name"), rejection], AT);
    expect(status).toBe("rejection");
    expect(exceptions).toEqual([
      { code: "pin_invalid", detail: "Wrong.", slug: "pin", raised_by: "desk", raised_at: AT },
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      "porting_order.requirement_updated",
      "porting_order.requirement_updated",
      "porting_order.status_changed",
    ]);
    expect(events[0]?.payload).toEqual({
      porting_order_id: "order",
      requirement: { slug: "name", status: "approved" },
    });
  });

  it("of approvals alone goes to the carrier", () => {
    expect(previewOf("order", [approval("name")], AT)).toMatchObject({
      status: "submitted",
      exceptions: [],
    });
  });
});

describe("the fields", () => {
  it("are read with what changed first, and what is empty last", () => {
    const requirements = [
      requirement("empty", { field_value: null, status: "requirement-info-pending" }),
      requirement("done", { status: "approved" }),
      requirement("same"),
      requirement("changed"),
    ];
    const read = inReadingOrder({ requirements, changed_slugs: ["changed"] });
    expect(read.map(({ slug }) => slug)).toEqual(["changed", "same", "done", "empty"]);
  });

  it("go on to the next open one, round the end", () => {
    const slugs = ["a", "b", "c"];
    expect(nextOpenField(slugs, "b", () => true)).toBe("c");
    expect(nextOpenField(slugs, "c", (slug) => slug === "a")).toBe("a");
    expect(nextOpenField(slugs, "b", () => false)).toBe("b");
  });

  it("are stepped through without going past the ends", () => {
    expect(stepFrom(["a", "b"], "b", 1)).toBe("b");
    expect(stepFrom(["a", "b"], "b", -1)).toBe("a");
    expect(stepFrom([], null, 1)).toBeNull();
  });
});

describe("the reasons for a requirement", () => {
  it("are those that fit it, the likeliest first", () => {
    const reason = (code: string, slugs: string[]) => ({ code, slugs, title: code, text: code });
    const all = [
      reason("second", ["name", "loa"]),
      reason("first", ["loa"]),
      reason("no", ["pin"]),
    ];
    expect(reasonsFor(all, "loa").map(({ code }) => code)).toEqual(["first", "second"]);
  });
});
