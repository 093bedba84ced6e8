import { randomOf } from '../oracle/play/random.ts';
import type { Subject } from './corpus.ts';
import type { Fault } from './fault.ts';

/** What shows only to who gives a server flags, stops it, is asked by it from outside, or has controllers beside it. */
export const besidePlainTraffic: readonly string[] = [
  'authn/bootstrap-tokens',
  'authn/certificates',
  'authn/oidc',
  'authn/proxy-headers',
  'authn/token-files-and-webhooks',
  'custom-types/conversion',
  'deletion/collected-dependents',
  'kinds/running-jobs',
  'kinds/told-rollouts',
  'lists/stores',
  'operations/audit',
  'operations/health',
  'operations/metrics',
  'requests/other-servers',
  'webhooks/answers',
  'webhooks/calls',
  'webhooks/configurations',
  'webhooks/matching',
  'webhooks/mutation',
  'webhooks/reviews',
  'webhooks/shown-objects',
  'webhooks/warnings',
];

/** Whether its place is the server itself, and not a controller beside it. */
const isOfServer = ({ edits = [] }: Fault): boolean => edits.every(({ file }) => !file.startsWith('../'));

/** So many faults that show in what any client sends, drawn by chance: the same ones for the same seed and corpus. */
export function drawn(subjects: readonly Subject[], count: number, seed: number): readonly Subject[] {
  const plain = subjects.filter(({ name }) => !besidePlainTraffic.includes(name));
  const faults = plain.flatMap((subject) => subject.faults.filter(isOfServer));
  const chosen = new Set(randomOf(seed, 'faults').some(faults, count));
  return subjects
    .map(({ name, faults: all }) => ({ name, faults: all.filter((fault) => chosen.has(fault)) }))
    .filter(({ faults: some }) => some.length > 0);
}
