import { describe, expect, it } from "@jest/globals";
import { EVENT_TYPES, RESERVED_EVENT_TYPE } from "../../messages/event-types.ts";
import { newId } from "../../platform/ids.ts";
import { sampleBody } from "./sample-event.ts";

const at = new Date("2026-03-01T12:00:00.000Z");

describe("a sample event", () => {
  it.each(EVENT_TYPES.filter((type) => type !== RESERVED_EVENT_TYPE))(
    "of the type %s has the body of a webhook",
    (type) => {
      const id = newId(at);
      const body: unknown = JSON.parse(sampleBody(type, { id, accountId: id, at }).toString());
      expect(body).toEqual({
        id,
        type,
        created_at: at.toISOString(),
        payload: expect.any(Object),
      });
    },
  );
});
