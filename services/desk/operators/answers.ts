import { z } from "zod";
import { OPERATOR_ROLES } from "../../domain/account/rules/operator-role.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";

/** A person as the desk shows one: never a bare id. */
export const personAnswer = z
  .object({
    id: idText("The operator's id"),
    name: z.string().meta({ description: "The operator's name", examples: ["Ada Byron"] }),
  })
  .meta({ id: "Person", description: "An operator; no customer is shown one" });

export const roleField = z.enum(OPERATOR_ROLES).meta({
  description: "What the operator may do; each role includes those before it",
  examples: ["reviewer"],
});

/** The operator of a request (docs/contract/desk-api.md, POST /session {token}). */
export const signedInAnswer = personAnswer.extend({ role: roleField }).meta({
  id: "SignedInOperator",
  description: "The operator of a session",
});

/** Who calls (docs/contract/desk-api.md, GET /me). */
export const meAnswer = personAnswer
  .extend({
    role: roleField,
    csrf: z
      .string()
      .optional()
      .meta({
        description:
          "For a session: what the header `Desk-CSRF` of a POST, PATCH or DELETE must hold; absent for a token",
        examples: ["b3JhbmdlcyBhcmUgbm90IHRoZSBvbmx5IGZydWl0"],
      }),
  })
  .meta({ id: "Me", description: "The operator who calls" });

/** Somebody to whom a case can be assigned. */
export const reviewerAnswer = personAnswer
  .extend({ role: roleField })
  .meta({ id: "Reviewer", description: "Somebody to whom a case can be assigned" });

const operatorTokenAnswer = z
  .object({
    id: idText("The token's id"),
    prefix: z.string().meta({
      description: "The token's first 14 characters",
      examples: ["nps_desk_00000"],
    }),
    created_at: timeText("When it was issued"),
    revoked_at: timeText("When it was revoked").nullable(),
  })
  .meta({ id: "OperatorToken", description: "An operator's token, without the token itself" });

export const newOperatorTokenAnswer = operatorTokenAnswer
  .extend({
    token: z.string().meta({
      description: "The token itself, shown once",
      examples: [`nps_desk_${"0".repeat(38)}`],
    }),
  })
  .meta({ id: "NewOperatorToken", description: "An operator's token that was just issued" });

/** An operator as admins see one. */
export const operatorAnswer = personAnswer
  .extend({
    role: roleField,
    active: z.boolean().meta({
      description: "Whether the operator has access; without it no token and no session works",
    }),
    created_at: timeText("When the operator was added"),
    tokens: z
      .array(operatorTokenAnswer)
      .meta({ description: "Every token, revoked ones included, oldest first" }),
  })
  .meta({ id: "Operator", description: "An operator as admins see one" });
