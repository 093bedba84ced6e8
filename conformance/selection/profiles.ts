import type { Capability } from '../capability.ts';
import { type CatalogueEntry, entryOf } from '../catalogue/catalogue.ts';
import type { Rule } from '../rule.ts';
import { controllerCapabilities } from '../target/controllers.ts';

export type ProfileName = 'core' | 'apply' | 'extensions' | 'admission' | 'auth' | 'kinds' | 'controllers' | 'full';

/** A part of the documents that a server may claim to keep. */
export interface Profile {
  readonly what: string;
  readonly chapters: readonly string[];
  /** What a server has that claims this: where it is missing, the rules that need it are broken. */
  readonly claims: readonly Capability[];
}

/**
 * What the suite is given rather than what a server has: that it can be reached, started, or was told of things. Where
 * it is missing, nothing is known of the rules that need it. So it is with the token cleaner, which the documents have run
 * only where it is asked for.
 */
export const facilities: readonly Capability[] = [
  ...(['webhooks', 'lab', 'flags', 'short-history', 'clock', 'nodes', 'token-cleaner'] as const),
];

/** What a server may claim. A rule belongs to the first of these that holds it, or else only to `full`. */
export const profiles: Readonly<Record<Exclude<ProfileName, 'full'>, Profile>> = {
  core: {
    what: 'reads, writes, lists and watches of everything that is served',
    chapters: [
      ...['verbs', 'get', 'lists', 'collections', 'watch', 'rv', 'meta', 'names', 'paths', 'params', 'content'],
      ...['responses', 'errors', 'fields', 'deletion', 'dryrun', 'limits', 'state', 'versioning', 'service'],
      ...['component', 'health', 'metrics'],
    ],
    claims: ['protobuf'],
  },
  apply: { what: 'server-side apply and the ownership of fields', chapters: ['apply'], claims: [] },
  extensions: { what: 'custom resources', chapters: [], claims: ['crd'] },
  admission: { what: 'admission plugins and webhooks', chapters: ['admission', 'webhook'], claims: ['webhooks'] },
  auth: {
    what: 'authentication, impersonation, authorization and audit',
    chapters: ['authn', 'impersonate', 'role', 'audit'],
    claims: ['second-user', 'rights', 'lab'],
  },
  kinds: {
    what: 'the documented kinds: their fields, defaults and rules',
    chapters: ['kinds', 'csr', 'endpointslice', 'event', 'events', 'ingress', 'job', 'namespace'],
    claims: ['kinds', 'pods'],
  },
  controllers: { what: 'what the controllers do beside the server', chapters: [], claims: controllerCapabilities },
};

/** The needs by which a rule belongs elsewhere than its chapter, the strongest first. */
const strongest: readonly (readonly [Exclude<ProfileName, 'full'>, readonly Capability[]])[] = [
  ['controllers', controllerCapabilities],
  ['admission', ['webhooks']],
  ['auth', ['second-user', 'rights', 'lab']],
  ['extensions', ['crd']],
];

/** What decides where a rule belongs. */
export interface Belonging extends Pick<Rule, 'id' | 'needs'> {
  /** Whether it is judged on a server with flags of its own. */
  readonly flags?: unknown;
}

/** The profile that a rule belongs to; `full` when it needs more than any of the others claims. */
export function profileOf(rule: Belonging): ProfileName {
  const { chapter } = entryOf(rule.id);
  const byNeed = strongest.find(([, needs]) => rule.needs.some((need) => needs.includes(need)))?.[0];
  const names = Object.keys(profiles) as Exclude<ProfileName, 'full'>[];
  const home = byNeed ?? names.find((name) => profiles[name].chapters.includes(chapter));
  if (!home || rule.flags) return 'full';
  const strange = rule.needs.some((need) => facilities.includes(need) && !profiles[home].claims.includes(need));
  return strange ? 'full' : home;
}

/** Whether a rule is judged when these profiles are claimed; without a claim all are. */
export const belongsTo = (rule: Belonging, claimed: readonly ProfileName[]): boolean =>
  claimed.length === 0 || claimed.includes('full') || claimed.includes(profileOf(rule));

/**
 * All that a server has that claims these profiles: what they name, and what any of their rules needs. Without a claim
 * nothing.
 */
export function claimsOf(claimed: readonly ProfileName[], chosen: readonly Pick<Rule, 'needs'>[]): Capability[] {
  if (claimed.length === 0) return [];
  const parts = claimed.includes('full') ? Object.values(profiles) : claimed.map((name) => profiles[name as 'core']);
  return [...new Set([...parts.flatMap(({ claims }) => claims), ...chosen.flatMap(({ needs }) => needs)])];
}

export const profileNames: readonly ProfileName[] = [...(Object.keys(profiles) as ProfileName[]), 'full'];

/** Rules that bind clients say nothing of a server: the suite's own client is judged by them. */
export const isAboutClient = ({ where }: Pick<CatalogueEntry, 'where'>): boolean => where === 'client';
