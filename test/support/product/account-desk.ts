import { ensureFirstAccess, type FirstAccess } from "../../../infra/start/credentials.ts";
import { call, textOf, type Answer } from "../http/call.ts";
import { createTestDatabase } from "../stack/test-stack.ts";
import { startAccountDesk, type AccountService } from "./account-services.ts";

/** The desk's accounts on a database of their own, as the first operator reaches them. */
export interface AccountDesk extends AccountService {
  readonly databaseUrl: string;
  readonly first: FirstAccess;
  ask(path: string, method?: string, body?: unknown): Promise<Answer>;
  newAccount(name: string): Promise<{ readonly id: string; readonly key: string }>;
}

export async function openAccountDesk(): Promise<AccountDesk> {
  const { url: databaseUrl } = await createTestDatabase();
  const first = await ensureFirstAccess(databaseUrl, null);
  const desk = await startAccountDesk(databaseUrl);
  const ask = (path: string, method = "GET", body?: unknown): Promise<Answer> =>
    call(`${desk.url}/desk/v1${path}`, { method, key: first.desk_token, body });
  return {
    ...desk,
    databaseUrl,
    first,
    ask,
    newAccount: async (name) => {
      const made = await ask("/accounts", "POST", { name });
      return { id: textOf(made, "id"), key: textOf(made, "api_key") };
    },
  };
}
