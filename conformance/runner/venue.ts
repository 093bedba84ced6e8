import { type Capability, capabilities } from '../capability.ts';
import { capabilityFlags } from '../lab/capability-flags.ts';
import { type Lab, openLab } from '../lab/lab.ts';
import type { Rule } from '../rule.ts';
import { controllerCapabilities } from '../target/controllers.ts';
import type { KnownTarget, Target } from '../target/target.ts';

/** Where a rule is judged, or why it is not. */
export type Venue = { readonly on: 'target' } | StartedVenue | Nowhere;

/** On a server with these flags, which runs already or has to be started. */
export interface StartedVenue {
  readonly on: 'started';
  readonly flags: readonly string[];
  readonly running?: Target;
  /** What that server has beyond the target. */
  readonly offered: readonly Capability[];
  /** Controllers that the rule needs and that only a look at the started server can show. */
  readonly unseen: readonly Capability[];
}

/** Nothing is there on which the rule could be judged. */
export interface Nowhere {
  readonly on: 'nowhere';
  readonly lacking: readonly Capability[];
  readonly reason: string;
}

export interface Circumstances {
  readonly target: KnownTarget;
  readonly lab: Lab | undefined;
  /** Whether servers can be started with chosen flags. */
  readonly launches: boolean;
}

/** Decides where a rule is judged. */
export function venueOf(rule: Rule, { target, lab, launches }: Circumstances): Venue {
  const present: readonly Capability[] = launches ? [...target.capabilities, 'flags'] : target.capabilities;
  const missing = rule.needs.filter((need) => !present.includes(need));
  const { beside } = target;
  const byFlags: typeof capabilityFlags = { ...capabilityFlags, ...beside?.more, ...(lab ? { lab: lab.flags } : {}) };
  const own = ownFlags(rule, lab);
  const wanted = own.length > 0 ? rule.needs : missing;
  const offered = beside && wanted.some((need) => beside.capabilities.includes(need)) ? beside : undefined;
  const lacking = missing.filter((need) => !byFlags[need] && !offered?.capabilities.includes(need));
  if (lacking.length > 0) return nowhere(lacking, target);
  // A server that is started has to have all that the target may have already; the rule's own flags come last: they
  // may say otherwise.
  const more = [...wanted.flatMap((need) => byFlags[need] ?? []), ...own];
  const flags = [...(offered?.flags ?? []), ...more];
  if (flags.length === 0) return { on: 'target' };
  if (!launches) return nowhere(missing.length > 0 ? missing : ['flags'], target);
  const running = more.length === 0 ? offered?.target : undefined;
  const unseen = offered ? [] : rule.needs.filter((need) => controllerCapabilities.includes(need));
  return { on: 'started', flags, ...(running ? { running } : {}), offered: offered?.capabilities ?? [], unseen };
}

/** The lab that a rule uses. */
export const labOf = ({ needs }: Rule, { labFolder }: KnownTarget): Lab | undefined =>
  needs.includes('lab') && labFolder ? openLab(labFolder) : undefined;

const ownFlags = ({ flags = [] }: Rule, lab: Lab | undefined): readonly string[] => {
  if (typeof flags !== 'function') return flags;
  return lab ? flags(lab) : [];
};

export const nowhere = (lacking: readonly Capability[], target: KnownTarget): Nowhere => ({
  on: 'nowhere',
  lacking,
  reason: `the target lacks: ${lacking.map((need) => described(need, target)).join('; ')}`,
});

const described = (need: Capability, { absent }: KnownTarget): string =>
  `${need} (${capabilities[need]}${absent?.[need] ? `; ${absent[need]}` : ''})`;
