import { describe, expect, it } from "@jest/globals";
import { alterClientQuotas } from "./ensure-quotas.ts";

const QUOTAS = { producer_byte_rate: 1, consumer_byte_rate: 2, request_percentage: 0.5 };

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
}

const one = Buffer.from([0, 0, 0, 1]);

describe("the request for quotas", () => {
  it("names each user and its quotas", async () => {
    const { request } = alterClientQuotas(["u"], QUOTAS);
    const quotas = Object.entries(QUOTAS).map(([name, value]) => {
      const double = Buffer.alloc(8);
      double.writeDoubleBE(value);
      return Buffer.concat([text(name), double, Buffer.from([0])]);
    });
    const entity = Buffer.concat([one, text("user"), text("u")]);
    const operations = Buffer.concat([Buffer.from([0, 0, 0, 3]), ...quotas]);
    expect((await request.encode()).buffer).toEqual(
      Buffer.concat([one, entity, operations, Buffer.from([0])]),
    );
  });

  it("is refused with the broker's reason", async () => {
    const { response } = alterClientQuotas(["u"], QUOTAS);
    const refused = [Buffer.from([0, 31]), text("not you"), one, text("user"), text("u")];
    const answer = Buffer.concat([Buffer.alloc(4), one, ...refused]);
    expect(await response.decode(answer)).toEqual([{ errorCode: 31, message: "not you" }]);
  });
});
