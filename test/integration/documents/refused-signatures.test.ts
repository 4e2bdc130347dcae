import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import {
  openLetterApi,
  ORDERS,
  SIGN,
  VALUES,
  type LetterApi,
} from "../../support/documents/letter-orders.ts";
import { buildPng, drawnSignature } from "../../support/documents/png-factory.ts";
import type { Answer } from "../../support/http/call.ts";

const ANOTHER_ACCOUNT_ID = "01890000-0000-7000-8000-000000000000";

let api: LetterApi;

beforeAll(async () => {
  api = await openLetterApi();
});

function faultsOf(answer: Answer): [string, string][] {
  return z
    .array(z.object({ pointer: z.string(), code: z.string() }))
    .parse(answer.body?.["errors"] ?? [])
    .map(({ pointer, code }) => [pointer, code]);
}

describe("the letter of authorization of an order", () => {
  it("is not signed while a value is missing that it must state", async () => {
    const { entity_name, auth_person_name } = VALUES;
    const id = await api.newOrder({ entity_name, auth_person_name });
    const refused = await api.sign(id);
    expect([refused.status, refused.body?.["code"]]).toEqual([409, "not_ready"]);
    expect(faultsOf(refused)).toEqual([
      ["#/requirements/service_address", "missing"],
      ["#/requirements/account_number", "missing"],
      ["#/requirements/billing_phone_number", "missing"],
    ]);
    expect((await api.loaOf(id))["field_value"]).toBeNull();
  });

  it("is neither signed nor shown for an unknown or a cancelled order", async () => {
    const foreign = await api.sign(ANOTHER_ACCOUNT_ID);
    expect([foreign.status, (await api.letterOf(ANOTHER_ACCOUNT_ID)).status]).toEqual([404, 404]);
    const id = await api.newOrder();
    await api.call("POST", `${ORDERS}/${id}/cancel`);
    const refused = await api.sign(id);
    expect([refused.status, refused.body?.["code"]]).toEqual([409, "invalid_state"]);
    expect((await api.letterOf(id)).status).toBe(200);
  });

  const damaged = drawnSignature();
  damaged[damaged.length - 20] = (damaged[damaged.length - 20] ?? 0) ^ 1;
  const blank = buildPng({ width: 1, height: 1, depth: 8, colorType: 0, rows: [[0, 255]] });

  it.each<[string, Record<string, unknown>, [string, string][]]>([
    [
      "nothing",
      { signer_name: undefined, consent: undefined },
      [
        ["#/signer_name", "required"],
        ["#/consent", "required"],
      ],
    ],
    ["no consent", { consent: false }, [["#/consent", "invalid_value"]]],
    ["an empty name", { signer_name: " " }, [["#/signer_name", "required"]]],
    ["a long name", { signer_name: "x".repeat(129) }, [["#/signer_name", "too_long"]]],
    ["a name with a line feed", { signer_name: "a\nb" }, [["#/signer_name", "invalid_characters"]]],
    [
      "a title with reversed direction",
      { signer_title: "a\u202eb" },
      [["#/signer_title", "invalid_characters"]],
    ],
    [
      "no base64",
      { signature_image: "data:image/png;base64,AAAA" },
      [["#/signature_image", "invalid_format"]],
    ],
    ["no PNG", { signature_image: "AAAA" }, [["#/signature_image", "invalid_image"]]],
    [
      "a large picture",
      { signature_image: "A".repeat(400_000) },
      [["#/signature_image", "too_long"]],
    ],
    [
      "a damaged picture",
      { signature_image: damaged.toString("base64") },
      [["#/signature_image", "invalid_image"]],
    ],
    [
      "a blank picture",
      { signature_image: blank.toString("base64") },
      [["#/signature_image", "blank_image"]],
    ],
    ["an unknown property", { date: "2026-11-21" }, [["#/date", "unknown_property"]]],
  ])("is not signed with %s, and nothing changes", async (_name, fields, faults) => {
    const id = await api.newOrder();
    const before = (await api.call("GET", `${ORDERS}/${id}`)).body;
    const refused = await api.sign(id, { ...SIGN, ...fields });
    expect(refused.status).toBe(422);
    expect(faultsOf(refused)).toEqual(faults);
    expect((await api.call("GET", `${ORDERS}/${id}`)).body).toEqual(before);
  });

  it("is refused for every fault of the request at once, whatever the order's state", async () => {
    const id = await api.newOrder({ entity_name: VALUES.entity_name, auth_person_name: "Ada" });
    const request = {
      ...SIGN,
      signer_title: "王",
      signature_image: damaged.toString("base64"),
    };
    const faults = [
      ["#/signer_name", "signer_mismatch"],
      ["#/signer_title", "invalid_characters"],
      ["#/signature_image", "invalid_image"],
    ];
    const unready = await api.sign(id, request);
    expect([unready.status, faultsOf(unready)]).toEqual([422, faults]);
    await api.call("POST", `${ORDERS}/${id}/cancel`);
    const ended = await api.sign(id, request);
    expect([ended.status, faultsOf(ended)]).toEqual([422, faults]);
    const title = await api.sign(id, { ...SIGN, signer_name: "Ada", signer_title: "王" });
    expect([title.status, faultsOf(title)]).toEqual([
      422,
      [["#/signer_title", "invalid_characters"]],
    ]);
    const valid = await api.sign(id, { ...SIGN, signer_name: "Ada" });
    expect([valid.status, valid.body?.["code"]]).toEqual([409, "invalid_state"]);
  });

  it("is not signed with a name without glyphs, even if it is the authorized person's", async () => {
    const id = await api.newOrder({ ...VALUES, auth_person_name: "王" });
    const refused = await api.sign(id, { ...SIGN, signer_name: "王" });
    expect(refused.status).toBe(422);
    expect(faultsOf(refused)).toEqual([["#/signer_name", "invalid_characters"]]);
    expect((await api.loaOf(id))["field_value"]).toBeNull();
    // None of the refusals above left a file behind.
    expect(await api.keptFiles()).toEqual(await api.documentIds());
  });
});
