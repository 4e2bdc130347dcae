import { describe, expect, it } from "@jest/globals";
import { AppError } from "../../services/platform/errors.ts";
import { namingRegistry } from "./ensure-topics.ts";

const URL_WITH_LOGIN = "http://writer:secret@127.0.0.1:1/apis/ccompat/v7";

describe("a registry that is away", () => {
  it("is named by its address, without a login in it", () => {
    const away = new AppError("registry_unavailable", "it is away", { retryable: true });
    expect(namingRegistry(away, URL_WITH_LOGIN)).toMatchObject({
      code: "registry_unavailable",
      retryable: true,
      message:
        "the schema registry at http://127.0.0.1:1/apis/ccompat/v7 is not responding properly",
    });
  });

  it("is not what another fault reports", () => {
    const refused = new AppError("topic_mismatch", "subject one rejects its schema");
    expect(namingRegistry(refused, URL_WITH_LOGIN)).toBe(refused);
  });
});
