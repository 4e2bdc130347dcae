import type { Link } from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
} from "@opentelemetry/sdk-trace";
import { isSampledContext } from "./span-context.ts";
import type { SamplerName, TracingConfig } from "./tracing-config.ts";

export function createSampler({ sampler, ratio }: Pick<TracingConfig, "sampler" | "ratio">) {
  const own = ownSampler(sampler, ratio);
  return sampler.startsWith("parentbased_") ? followingCauses(own) : own;
}

function ownSampler(name: SamplerName, ratio: number): Sampler {
  switch (name) {
    case "always_on":
    case "parentbased_always_on":
      return new AlwaysOnSampler();
    case "always_off":
    case "parentbased_always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
    case "parentbased_traceidratio":
      return new TraceIdRatioBasedSampler(ratio);
  }
}

/** As its parent; a span that links to several causes instead is sampled where one of them is. */
function followingCauses(root: Sampler): Sampler {
  const asParent = new ParentBasedSampler({ root });
  return {
    shouldSample: (...given) => {
      const links: readonly Link[] = given[5];
      if (links.length === 0) return asParent.shouldSample(...given);
      const isWanted = links.some(({ context }) => isSampledContext(context));
      const { RECORD_AND_SAMPLED, NOT_RECORD } = SamplingDecision;
      return { decision: isWanted ? RECORD_AND_SAMPLED : NOT_RECORD };
    },
    toString: () => asParent.toString(),
  };
}
