import { z } from "zod";
import { timeText } from "../../platform/http/routing/answer-fields.ts";
import { meAnswer, signedInAnswer } from "../operators/answers.ts";

/** A session that begins (docs/contract/desk-api.md, POST /session {token}). */
export const sessionAnswer = z
  .object({
    operator: signedInAnswer,
    expires_at: timeText(
      "When it ends at the latest; after an hour without a request it ends earlier",
    ),
    csrf: meAnswer.shape.csrf.unwrap().meta({
      description: "What the header `Desk-CSRF` of a POST, PATCH or DELETE must hold",
      examples: ["b3JhbmdlcyBhcmUgbm90IHRoZSBvbmx5IGZydWl0"],
    }),
  })
  .meta({ id: "Session", description: "A session that was just opened" });
