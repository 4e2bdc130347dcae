import { idText } from "../../platform/http/routing/answer-fields.ts";
import { platformNumberAnswer } from "../../domain/number/answers/number-answer.ts";
import { accountReference } from "../accounts/answers.ts";

/** A number as the desk sees it, with its account. */
export const deskNumberAnswer = platformNumberAnswer
  .extend({ account_id: idText("The id of the number's account"), account: accountReference })
  .meta({ id: "DeskNumber", description: "A number of any account" });
