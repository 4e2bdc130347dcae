import { describe, expect, it } from "@jest/globals";
import { fillOrder, type Filling } from "./fill-order.ts";
import type { PortingOrder, Readiness, Requirement } from "./generated/api-types.ts";
import { Operations } from "./generated/operations.ts";

const asked = (slug: string, over: Partial<Requirement> = {}): Requirement => ({
  slug,
  name: slug,
  field_type: "text",
  mandatory: true,
  scope: "order",
  example: `an example of ${slug}`,
  status: "requirement-info-pending",
  field_value: null,
  document_date: null,
  check_state: "none",
  ...over,
});

const LETTER = asked("loa", { field_type: "document" });

/** An order with these requirements, and what is written to it, in the order in which it is. */
function orderWith(requirements: readonly Requirement[], checks = 0) {
  const written: (readonly [slug: string, value: unknown])[] = [];
  let left = checks;
  class Order extends Operations {
    override getPortingOrder = () => Promise.resolve({ id: "o", requirements } as PortingOrder);
    override updatePortingOrderRequirement = (_id: string, slug: string, body: object) => {
      written.push([slug, "file" in body ? "a file" : Object.values(body)[0]]);
      return Promise.resolve(asked(slug, { field_value: `kept ${slug}` }));
    };
    override signLoa = (_id: string, { signer_name }: { readonly signer_name: string }) => {
      written.push(["loa", signer_name]);
      return Promise.resolve({ document_id: "d" } as Awaited<ReturnType<Operations["signLoa"]>>);
    };
    override getPortingOrderReadiness = () => {
      const blocking = left > 0 ? [{ slug: "invoice", code: "checking", detail: "…" }] : [];
      left -= 1;
      return Promise.resolve({ ready: blocking.length === 0, blocking, detail: null } as Readiness);
    };
  }
  return { client: new Order(null as never), written };
}

const FILLING: Filling = {
  valueFor: ({ slug }) => (slug === "unknown" ? undefined : `my ${slug}`),
  documentFor: ({ slug }) => (slug === "invoice" ? new File([], "invoice.pdf") : null),
  signer: { signer_name: "Ada Lovelace" },
};

describe("filling an order", () => {
  it("writes what is mandatory and open, signs last, and leaves the rest open", async () => {
    const { client, written } = orderWith([
      LETTER,
      asked("entity_name"),
      asked("kept", { field_value: "k" }),
      asked("wrong", { field_value: "w", status: "requirement-info-exception" }),
      asked("optional", { mandatory: false }),
      asked("unknown"),
      asked("invoice", { field_type: "document" }),
      asked("other", { field_type: "document" }),
    ]);
    const { fields } = await fillOrder(client, "o", FILLING);
    expect(written).toEqual([
      ["entity_name", "my entity_name"],
      ["wrong", "my wrong"],
      ["invoice", "a file"],
      ["loa", "Ada Lovelace"],
    ]);
    expect(fields.map(({ value }) => value)).toEqual([
      "kept entity_name",
      "kept wrong",
      "invoice.pdf",
      "signed by Ada Lovelace",
    ]);
  });

  it("gives each number its own value, and in rejection the wrong one alone", async () => {
    const rio = (phone_number: string, field_value: string | null) => ({
      ...{
        phone_number,
        field_value,
        exception_reason: null,
        example: `example of ${phone_number}`,
      },
      status: field_value === "wrong" ? "requirement-info-exception" : "approved",
    });
    const values = [rio("+1", null), rio("+2", "right"), rio("+3", "wrong")];
    const { client, written } = orderWith([asked("rio_code", { scope: "number", values })]);
    await fillOrder(client, "o", { ...FILLING, valueFor: ({ example }) => example });
    expect(written).toEqual([["rio_code", { "+1": "example of +1", "+3": "example of +3" }]]);
  });

  it.each([
    ["gets", asked("auth_person_name"), "my auth_person_name"],
    ["has", asked("auth_person_name", { field_value: "Grace Hopper" }), "Grace Hopper"],
  ])("signs by the person whom the order %s", async (_, person, signer) => {
    const { client, written } = orderWith([LETTER, person]);
    await fillOrder(client, "o", FILLING);
    expect(written.at(-1)).toEqual(["loa", signer]);
  });

  it("does not sign for whom nobody is named", async () => {
    const { client, written } = orderWith([LETTER]);
    const { valueFor, documentFor } = FILLING;
    await fillOrder(client, "o", { valueFor, documentFor });
    expect(written).toEqual([]);
  });

  it("waits until no document is being checked, so long and no longer", async () => {
    const checked = await fillOrder(orderWith([], 1).client, "o", FILLING);
    expect(checked.readiness.ready).toBe(true);
    const waiting = fillOrder(orderWith([], 9).client, "o", { ...FILLING, checksMs: 0 });
    await expect(waiting).rejects.toThrow("The checks of the documents were not done after 0 s.");
  });
});
