import type { z } from "zod";
import type { deskNumberAnswer } from "../../../desk/numbers/answers.ts";
import { withQuery } from "../../ui/http/request.ts";
import { useList } from "../../ui/http/use-read.ts";

export type PlatformNumber = z.infer<typeof deskNumberAnswer>;

export interface NumberQuery {
  readonly phone_number: string;
  readonly provider: string;
  readonly status: string;
  readonly account_id: string;
  readonly starting_after: string;
}

export function useNumbers(query: NumberQuery) {
  const path = withQuery("/desk/v1/numbers", { ...query, limit: 50 });
  return useList<PlatformNumber>("numbers", path);
}
