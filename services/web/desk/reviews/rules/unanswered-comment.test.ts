import { describe, expect, it } from "@jest/globals";
import type { ReviewCase } from "../types.ts";
import { unansweredAt } from "./unanswered-comment.ts";

type Author = ReviewCase["comments"][number]["author_type"];

function after(...authors: Author[]): string | null {
  const comments = authors.map((author_type, n) => {
    return { id: String(n), body: "x", author_type, created_at: String(n) };
  });
  return unansweredAt({ comments });
}

describe("a customer's comment", () => {
  it("waits for an answer from the first one after the desk's last", () => {
    expect(after("customer", "ops", "customer", "system", "customer")).toBe("2");
    expect(after("customer")).toBe("0");
  });

  it("does not wait where the desk wrote last, or only others wrote", () => {
    expect(after("customer", "ops", "system")).toBeNull();
    expect(after("ops", "carrier")).toBeNull();
    expect(after()).toBeNull();
  });
});
