import { z } from "zod";
import { postOnce } from "./ask.ts";
import type { DriverRecord } from "./driver-record.ts";

export interface CommentOptions {
  readonly deskUrl: string;
  /** The operator's token. */
  readonly token: string;
  readonly perOrder: number;
}

/** Comments on an order as the desk: the change with an event that costs least. */
export async function commentOn(
  orderId: string,
  { deskUrl, token: key, perOrder }: CommentOptions,
  record: DriverRecord,
): Promise<void> {
  const url = `${deskUrl}/desk/v1/orders/${orderId}/comments`;
  for (let n = 1; n <= perOrder; n += 1) {
    const { answer, doubted } = await postOnce(url, { key, body: { body: `Comment ${n}` } });
    if (doubted) record.doubts += 1;
    if (answer.status !== 201) throw new Error(`a comment returned ${answer.status}`);
    const commentId = z.string().parse(answer.body?.["id"]);
    record.acknowledged.push({ kind: "commented", orderId, commentId });
  }
}
