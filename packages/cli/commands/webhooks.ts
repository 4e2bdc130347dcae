import { Argument, Option, type Command } from "commander";
import type { EventName } from "../../client/feed.ts";
import { EVENT_TYPES } from "../../client/generated/api-types.ts";
import type { Session } from "../session.ts";
import { eventTypes, leaf, repeated, wholeNumber } from "./define.ts";
import { listen, type ListenOptions } from "./listen.ts";
import { trigger, type TriggerOptions } from "./trigger.ts";
import { verify, type VerifyOptions } from "./verify.ts";

/** `nps listen`, `nps trigger` and `nps verify`: webhooks on a developer's machine. */
export function addWebhookCommands(program: Command, session: Session): void {
  leaf(program, "listen", "forward events to a local server, signed as webhooks, until Ctrl-C")
    .option("--forward-to <url>", "the server: http://localhost:8080/webhooks")
    .option("--print", "print the payload of each event")
    .addOption(eventTypes("--events <type>", "only events of this type"))
    .option("--secret <secret>", "sign with this secret, not with the one of this machine")
    .option("--since <event id>", "begin after this event, not now")
    .action((options: ListenOptions) => listen(session, options));
  leaf(program, "trigger", "trigger an event in the sandbox; without a type: list them")
    .addArgument(new Argument("[type]", "the type of the event").choices(EVENT_TYPES))
    .option("--sandbox", "the service is a sandbox, though it is not on this machine")
    .action((type: EventName | undefined, options: TriggerOptions) =>
      trigger(session, type, options),
    );
  leaf(program, "verify", "check the signature of a webhook, and say what is wrong with it")
    .addOption(repeated("--secret <secret>", "the secret, with its whsec_; or WEBHOOK_SECRETS"))
    .requiredOption("--header <text>", "the value of Porting-Signature")
    .option("--body <path>", "the raw body in a file; - for standard input", "-")
    .option("--at <time>", "check as of this time: Unix seconds or ISO 8601; now unless given")
    .addOption(
      new Option("--tolerance <seconds>", "how old it may be").default(300).argParser(wholeNumber),
    )
    .option("--event <id>", "compare with this event; the one in the body unless given")
    .option("--offline", "do not ask the service for the event")
    .action((options: VerifyOptions) => verify(session, options));
}
