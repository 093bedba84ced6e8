import { describe, expect, test } from 'vitest';
import { aggregatedRules } from './cluster-role-aggregation/plan.ts';
import { waitBeforeCleaning } from './csr-cleaner/plan.ts';
import { protectClaim, protectVolume } from './protection/plan.ts';
import { formatTime } from './runtime/clock.ts';
import type {
  CertificateSigningRequest,
  ClusterRole,
  Job,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Secret,
} from './runtime/resources.ts';
import { isBootstrapToken, waitBeforeExpiry } from './token-cleaner/plan.ts';
import { waitBeforeDeletion } from './ttl-after-finished/plan.ts';

const now = Date.UTC(2024, 0, 1);
const ago = (seconds: number) => formatTime(now - seconds * 1000);

describe('jobs that have finished', () => {
  const job = (ttl: number | undefined, finished?: string, more: object = {}): Job =>
    ({
      metadata: { name: 'j', ...more },
      spec: { ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }) },
      status: { conditions: finished ? [{ type: 'Complete', status: 'True', lastTransitionTime: finished }] : [] },
    }) as unknown as Job;

  test.each<[string, Job, number | undefined]>([
    ['without a time to live stay', job(undefined, ago(99)), undefined],
    ['go at once with zero', job(0, ago(0)), 0],
    ['go when it is time', job(60, ago(61)), 0],
    ['wait until then', job(60, ago(20)), 40_000],
    ['that have not finished stay', job(0), undefined],
    ['that are going already are left alone', job(0, ago(9), { deletionTimestamp: ago(1) }), undefined],
  ])('%s', (_, subject, wait) => expect(waitBeforeDeletion(subject, now)).toBe(wait));
});

describe('bootstrap tokens', () => {
  const token = (expiration: string | undefined, more: object = {}): Secret =>
    ({
      metadata: { namespace: 'kube-system', name: 'bootstrap-token-abcdef' },
      type: 'bootstrap.kubernetes.io/token',
      data: { ...(expiration !== undefined && { expiration: Buffer.from(expiration).toString('base64') }) },
      ...more,
    }) as Secret;

  test.each<[string, string | undefined, number | undefined]>([
    ['without an end stay', undefined, undefined],
    ['with an empty end stay', '', undefined],
    ['that have run out go', ago(1), 0],
    ['wait for their end', formatTime(now + 5_000), 5_000],
    ['whose end is no time go', 'tomorrow', 0],
    ['may have an offset', '2024-01-01T01:00:05+01:00', 5_000],
  ])('%s', (_, expiration, wait) => expect(waitBeforeExpiry(token(expiration), now)).toBe(wait));

  test('are known by type, namespace and name', () => {
    expect(isBootstrapToken(token(''))).toBe(true);
    expect(isBootstrapToken(token('', { type: 'Opaque' }))).toBe(false);
    expect(isBootstrapToken(token('', { metadata: { namespace: 'default', name: 'bootstrap-token-abcdef' } }))).toBe(
      false,
    );
  });
});

describe('certificate signing requests', () => {
  const csr = (created: number, decided?: number, type = 'Approved'): CertificateSigningRequest =>
    ({
      metadata: { creationTimestamp: ago(created) },
      status: {
        conditions: decided === undefined ? [] : [{ type, status: 'True', lastUpdateTime: ago(decided) }],
      },
    }) as unknown as CertificateSigningRequest;

  test.each([
    ['that wait stay for a day', csr(3_600), 23 * 3_600_000],
    ['that nobody decided go', csr(90_000), 0],
    ['that were decided stay for an hour', csr(90_000, 600), 3_000_000],
    ['that were decided long ago go', csr(90_000, 3_600), 0],
    ['that were denied long ago go', csr(7_200, 3_600, 'Denied'), 0],
    ['of which a signer said something long ago wait', csr(7_200, 7_200, 'example.com/Seen'), 22 * 3_600_000],
  ])('%s', (_, subject, wait) => expect(waitBeforeCleaning(subject, now)).toBe(wait));
});

describe('volumes and claims', () => {
  const volume = (phase: string, more: object = {}) =>
    ({
      metadata: { finalizers: ['kubernetes.io/pv-protection'], ...more },
      status: { phase },
    }) as unknown as PersistentVolume;
  const claim = (more: object = {}) =>
    ({
      metadata: { name: 'c', finalizers: ['kubernetes.io/pvc-protection'], ...more },
    }) as unknown as PersistentVolumeClaim;
  const user = (phase: string, nodeName = 'n') =>
    ({
      spec: { nodeName, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] },
      status: { phase },
    }) as unknown as Pod;
  const deletionTimestamp = ago(1);
  const maker = (more: object = {}) =>
    ({ metadata: { name: 'p', ...more }, spec: { nodeName: 'n', volumes: [{ name: 'c', ephemeral: {} }] } }) as Pod;
  const made = (user: Pod) => protectClaim(claim({ name: 'p-c', deletionTimestamp }), [user]);

  test.each([
    ['a volume without protection gets it', protectVolume(volume('Available', { finalizers: [] })), 'add'],
    ['a bound volume is held', protectVolume(volume('Bound', { deletionTimestamp })), 'keep'],
    ['a released volume is let go', protectVolume(volume('Released', { deletionTimestamp })), 'remove'],
    ['a claim in use is held', protectClaim(claim({ deletionTimestamp }), [user('Running')]), 'keep'],
    [
      'a claim of a pod that ended is held until that pod is gone',
      protectClaim(claim({ deletionTimestamp }), [user('Succeeded')]),
      'keep',
    ],
    [
      'a claim of a pod without a node is let go',
      protectClaim(claim({ deletionTimestamp }), [user('Pending', '')]),
      'remove',
    ],
    ['a claim made for a pod is held while that stops', made(maker({ deletionTimestamp })), 'keep'],
    [
      'a claim made for a pod that has stopped, and may wait for it, is let go',
      made(maker({ deletionTimestamp, deletionGracePeriodSeconds: 0 })),
      'remove',
    ],
    ['a living claim keeps it', protectClaim(claim(), []), 'keep'],
  ])('%s', (_, actual, expected) => expect(actual).toBe(expected));
});

test('an aggregated role has the rules of those it selects, by name, each once, and not its own', () => {
  const role = (name: string, labels: Record<string, string>, verb: string): ClusterRole => ({
    metadata: { name, labels },
    rules: [{ verbs: [verb] }],
  });
  const all = [
    role('b', { to: 'x' }, 'get'),
    role('a', { to: 'x' }, 'list'),
    role('c', { to: 'x' }, 'get'),
    role('d', {}, 'watch'),
    role('sum', { to: 'x' }, 'own'),
  ];
  const sum: ClusterRole = {
    metadata: { name: 'sum' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: 'x' } }] },
  };
  expect(aggregatedRules(sum, all)).toEqual([{ verbs: ['list'] }, { verbs: ['get'] }]);
});
