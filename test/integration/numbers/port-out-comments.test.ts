import { beforeAll, describe, expect, it } from "@jest/globals";
import { dataOf, outcomeOf, textOf, type Answer } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import {
  buildPortOutUpdate,
  openNumberStack,
  portOutOf,
  type NumberStack,
  type Owner,
} from "../../support/orders/number-stack.ts";

let stack: NumberStack;
let owner: Owner;

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
});

/** The path of a port-out of the owner's that awaits a decision. */
async function newPortOut(): Promise<string> {
  const number = await stack.newNumber(owner);
  await stack.publishPortOut(buildPortOutUpdate({ phone_numbers: [number] }));
  const { id } = await portOutOf(owner, number, "decision_required");
  return `/port_outs/${String(id)}`;
}

const write = (path: string, body: string): Promise<Answer> =>
  owner.api("POST", `${path}/comments`, { body });

/** The desk, called as customers are. */
const onDesk: Pick<Owner, "api"> = {
  api: (method, path, body) => stack.desk(method, path, body),
};

const answer = (path: string, body: string): Promise<Answer> =>
  stack.desk("POST", `${path}/comments`, { body });

/** Since when the desk sees a comment that waits: on the port-out, and at everybody's bell. */
async function waitingAt(path: string): Promise<unknown[]> {
  const { unanswered_comment_at: at } = (await stack.desk("GET", path)).body ?? {};
  const all = (await stack.desk("GET", "/alerts")).body?.["alerts"] as Record<string, unknown>[];
  const alerts = all.filter(({ port_out_id: id }) => path.endsWith(String(id)));
  return [
    at,
    ...alerts.map(({ kind, order_id, account, since }) => [kind, order_id, account, since]),
  ];
}

describe("a comment on a port-out", () => {
  it("waits for the desk, whose answer the customer reads without a name", async () => {
    const path = await newPortOut();
    const before = await stack.events(owner);
    expect(await waitingAt(path)).toEqual([null]);
    const asked = await write(path, "  We did not ask for this.\n");
    expect([asked.status, asked.headers.get("location")]).toEqual([201, `/v2${path}/comments`]);
    const first = {
      id: expect.any(String),
      body: "We did not ask for this.",
      author_type: "customer",
      created_at: expect.any(String),
    };
    expect(asked.body).toEqual(first);
    await write(path, "Please look at it.");
    const since = textOf(asked, "created_at");
    const account = { id: owner.accountId, name: "Owner" };
    expect(await waitingAt(path)).toEqual([since, ["comment", null, account, since]]);
    const [listed] = dataOf(await stack.desk("GET", `/port_outs?account_id=${owner.accountId}`));
    expect(listed).toMatchObject({ unanswered_comment_at: since });

    const answered = await answer(path, "We ask the carrier.");
    expect([answered.status, answered.headers.get("location")]).toEqual([
      201,
      `/desk/v1${path}/comments`,
    ]);
    expect(await waitingAt(path)).toEqual([null]);
    const shown = dataOf(await owner.api("GET", `${path}/comments?order=asc`));
    expect(shown).toEqual([first, expect.anything(), answered.body]);
    expect(answered.body).toEqual({ ...first, body: "We ask the carrier.", author_type: "ops" });
    const author = { id: expect.any(String), name: expect.any(String) };
    expect(dataOf(await stack.desk("GET", `${path}/comments?limit=2`))).toEqual([
      { ...answered.body, author, internal: false },
      { ...first, id: shown[1]?.["id"], body: "Please look at it.", author: null, internal: false },
    ]);
    const [entry] = dataOf(
      await stack.desk("GET", `/audit?account_id=${owner.accountId}&action=port_out.commented`),
    );
    expect(entry).toMatchObject({
      operator: author,
      after: { port_out_id: path.slice(-36), comment: { body: "We ask the carrier." } },
    });
    expect(await stack.events(owner)).toEqual(before);
  });

  it("stands with the others in pages", async () => {
    const path = await newPortOut();
    const first = textOf(await write(path, "One"), "id");
    const second = textOf(await write(path, "Two"), "id");
    const third = textOf(await answer(path, "Three"), "id");
    for (const side of [owner, onDesk]) {
      const get = (query: string) => side.api("GET", `${path}/comments?limit=2${query}`);
      const page = await get("");
      expect(page.body?.["has_more"]).toBe(true);
      expect(dataOf(page).map(({ id }) => id)).toEqual([third, second]);
      const rest = await get(`&starting_after=${second}`);
      expect(dataOf(rest).map(({ id }) => id)).toEqual([first]);
      const unknown = await get(`&starting_after=${path.slice(-36)}`);
      expect(outcomeOf(unknown)).toBe("400 invalid_parameter");
    }
  });

  it("is neither blank nor longer than 4,000 characters", async () => {
    const path = await newPortOut();
    for (const send of [write, answer]) {
      for (const body of ["", " \n ", "x".repeat(4_001)]) {
        const refused = await send(path, body);
        expect(outcomeOf(refused)).toBe("422 validation_failed");
        expect(refused.body?.["errors"]).toMatchObject([{ pointer: "#/body" }]);
      }
      expect((await send(path, "x".repeat(4_000))).status).toBe(201);
    }
  });

  it("is one of a thousand of the customer at most; the desk's do not count", async () => {
    const path = await newPortOut();
    await answer(path, "Is it yours?");
    await stack.database.query(
      `insert into orders.comments (id, port_out_id, account_id, author_type, body, created_at)
        select gen_random_uuid(), $1, $2, 'customer', 'x', now() from generate_series(1, 999)`,
      [path.slice(-36), owner.accountId],
    );
    expect((await write(path, "The last.")).status).toBe(201);
    const refused = await write(path, "One more.");
    expect(outcomeOf(refused)).toBe("409 quota_exceeded");
    expect(refused.body?.["detail"]).toMatch(/^A port-out may have at most 1,000 comments/);
    expect((await answer(path, "Call us.")).status).toBe(201);
    const other = await newPortOut();
    expect((await write(other, "Of another one.")).status).toBe(201);
    expect((await answer(other, "Thank you.")).status).toBe(201);
  });

  it("is nobody's of another account, nor on a port-out of no account", async () => {
    const path = await newPortOut();
    const stranger = await stack.newOwner();
    const nobodys = stack.product.newNumber();
    await stack.publishPortOut(buildPortOutUpdate({ phone_numbers: [nobodys] }));
    const unknown = await eventually(async () => {
      const found = `/port_outs?phone_number=${encodeURIComponent(nobodys)}`;
      const [one] = dataOf(await stack.desk("GET", found));
      expect(one).toMatchObject({ account: null, unanswered_comment_at: null });
      return `/port_outs/${String(one?.["id"])}`;
    });
    for (const [side, at] of [
      [stranger, path],
      [owner, unknown],
      [onDesk, unknown],
    ] as const) {
      expect((await side.api("GET", `${at}/comments`)).status).toBe(404);
      expect((await side.api("POST", `${at}/comments`, { body: "Mine" })).status).toBe(404);
    }
  });
});
