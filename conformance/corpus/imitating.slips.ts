import { type Fault, slip } from './fault.ts';

const claimed = 'kinds/core/service/claimed-numbers.ts';

/** What forks and servers of another make do a little otherwise. */
export const imitatingSlips: readonly Fault[] = [
  slip(
    'what remains of a list is counted as it is by then',
    ['lists'],
    'registry/list.ts',
    '...(remaining > 0 && { remaining, token: tokenAfter(call, items, shown) })',
    '...(remaining > 0 && { remaining: from ? (await services.store.list(prefix, { any, after: from, limit })).remaining : remaining, token: tokenAfter(call, items, shown) })',
  ),
  slip(
    'times are kept in the zone in which they came',
    ['kinds'],
    'schema/scalars.ts',
    'const text = `${spellSeconds(read.seconds)}Z`;',
    'const text = `${spellSeconds(read.seconds)}Z` && value;',
  ),
  slip(
    'what a mutating webhook makes of a status is lost',
    ['webhook'],
    'registry/admit.ts',
    'if (!(yield* passes.mutate(attributes))) return;',
    "if (!(yield* passes.mutate(attributes)) || call.subresource === 'status') return;",
  ),
  slip(
    'a webhook that takes too long has allowed it',
    ['webhook'],
    'admission/webhooks/webhook-call.ts',
    "return webhook.ignoresFailure ? { outcome: 'ignored', error } :",
    "return webhook.ignoresFailure || error.message.includes('deadline') ? { outcome: 'ignored', error } :",
  ),
  slip(
    'an endpoint of which nothing is said is ready',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    'endpoint.conditions ??= {};',
    'if (Object.keys(endpoint.conditions ?? {}).length === 0) endpoint.conditions = { ready: true };',
  ),
  slip(
    'a quota counts objects of the core group alone',
    ['admission'],
    'admission/plugins/quota/evaluators.ts',
    'countedByName(group ? `${resource}.${group}` : resource);',
    "countedByName(group ? '' : resource);",
  ),
  {
    name: 'a rehearsed Service keeps the address that it was shown with',
    chapters: ['dryrun'],
    edits: [
      { file: claimed, from: 'if (has || claim.dryRun) return;', to: 'if (has) return;' },
      { file: claimed, from: 'claim.onAbandon(() => {', to: 'if (!claim.dryRun) claim.onAbandon(() => {' },
    ],
  },
];
