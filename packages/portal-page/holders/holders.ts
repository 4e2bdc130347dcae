import type { z } from "zod";
import type { groupAnswer } from "../../../services/api/requirement-groups/routes.ts";
import { useCommand } from "../../ui/http/command.ts";
import { useList } from "../../ui/http/read.ts";

export type Holder = z.infer<typeof groupAnswer>;

export const HOLDERS_PATH = "/v2/requirement_groups";

/** The newest hundred. */
export function useHolders() {
  return useList<Holder>("holders", `${HOLDERS_PATH}?limit=100`);
}

export function useHolderCommand() {
  return useCommand({ refreshes: ["holders"] });
}
