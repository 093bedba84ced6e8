import { describe, expect, test } from 'vitest';
import type { Endpoints, Service } from '../runtime/resources.ts';
import { isMirrored, planMirror } from './plan.ts';

const endpoints = (subsets: object[], labels: object = {}, annotations: object = {}): Endpoints =>
  ({ metadata: { namespace: 'ns', name: 'db', uid: 'e', labels, annotations }, subsets }) as unknown as Endpoints;
const service = (spec: object = {}) => ({ metadata: { name: 'db' }, spec }) as Service;

test.each<[string, boolean, Endpoints, Service | undefined]>([
  ['of a service without a selector are', true, endpoints([]), service()],
  ['of a service with a selector are not', false, endpoints([]), service({ selector: { a: 'b' } })],
  ['without a service are not', false, endpoints([]), undefined],
  ['that say so are not', false, endpoints([], { 'endpointslice.kubernetes.io/skip-mirror': 'true' }), service()],
  ['of a leader are not', false, endpoints([], {}, { 'control-plane.alpha.kubernetes.io/leader': '{}' }), service()],
])('endpoints %s mirrored', (_, expected, subject, owner) => expect(isMirrored(subject, owner)).toBe(expected));

describe('a mirror', () => {
  const suffix = () => 'x';
  const subset = (addresses: string[], more: object = {}) => ({
    addresses: addresses.map((ip) => ({ ip })),
    ports: [{ name: 'sql', port: 5432 }],
    ...more,
  });

  test('has a slice for each family, with what is not ready', () => {
    const subject = endpoints([subset(['192.0.2.7', '2001:db8::7'], { notReadyAddresses: [{ ip: '192.0.2.8' }] })], {
      a: 'b',
    });
    const { create } = planMirror(subject, [], suffix);
    expect(
      create.map(({ addressType, endpoints: all }) => [
        addressType,
        all?.map(({ addresses, conditions }) => [addresses[0], conditions?.ready]),
      ]),
    ).toEqual([
      [
        'IPv4',
        [
          ['192.0.2.7', true],
          ['192.0.2.8', false],
        ],
      ],
      ['IPv6', [['2001:db8::7', true]]],
    ]);
    expect(create[0]).toMatchObject({
      metadata: {
        name: 'db-x',
        labels: {
          a: 'b',
          'kubernetes.io/service-name': 'db',
          'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
        },
        ownerReferences: [{ kind: 'Endpoints', uid: 'e' }],
      },
      ports: [{ name: 'sql', protocol: 'TCP', port: 5432 }],
    });
  });

  test('follows what changes, and is left alone when nothing does', () => {
    const { create } = planMirror(endpoints([subset(['192.0.2.7'])]), [], suffix);
    expect(planMirror(endpoints([subset(['192.0.2.7'])]), create, suffix)).toEqual({
      create: [],
      update: [],
      delete: [],
    });
    const { update } = planMirror(endpoints([subset(['192.0.2.9'])]), create, suffix);
    expect(update.map(({ after }) => after.endpoints?.[0]?.addresses)).toEqual([['192.0.2.9']]);
    expect(planMirror(endpoints([]), create, suffix).delete).toEqual(create);
  });
});
