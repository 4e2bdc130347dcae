import {
  EVENT_CATALOGUE,
  type CatalogueEntry,
} from "../../../services/api/openapi/event-catalogue.ts";
import { createAnchors } from "../headings.ts";

/** Every event type that is sent: when, in which order of others, a sample and the schema. */
export function eventReference(): string {
  return EVENT_CATALOGUE.map(chapter).join("\n\n");
}

function chapter({ type, publishedWhen, follows, precedes, sample, schema }: CatalogueEntry) {
  const parts = [
    `## \`${type}\``,
    publishedWhen,
    `- **Right before it**: ${linkList(follows, type)}\n- **Right after it**: ${linkList(precedes, type)}`,
    jsonBlock("json", sample),
    jsonBlock('json folded="Schema"', schema),
  ];
  return parts.join("\n\n");
}

function linkList(types: readonly string[], own: string): string {
  if (types.length === 0) return "none";
  return types
    .map((type) => {
      const anchor = createAnchors()(type);
      return type === own ? `\`${type}\` again` : `[\`${type}\`](#${anchor})`;
    })
    .join(", ");
}

function jsonBlock(fence: string, value: object): string {
  return `\`\`\`${fence}\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
