import { describe, expect, test } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import type { Ingress } from '../runtime/resources.ts';
import { certificateOf, planCertificates } from './certificates.ts';
import { controllerName, isOurs, ownClasses } from './classes.ts';
import { planRoutes, routeOf } from './plan.ts';
import { pointsOf, shows } from './status.ts';

const backend = (name: string) => ({ service: { name, port: { number: 80 } } });

const ingress = (name: string, spec: Ingress['spec'], created = '2026-01-01T00:00:00Z'): Ingress => ({
  metadata: { name, namespace: 'ns', creationTimestamp: created },
  ...(spec && { spec }),
});

/** A rule in one text: host, paths with their types, and the names of their backends. */
const rule = (host: string, ...paths: readonly string[]) => ({
  ...(host && { host }),
  http: {
    paths: paths.map((text) => {
      const [pathType = '', path = '', name = ''] = text.split(' ');
      return { pathType, path, backend: backend(name) };
    }),
  },
});

const routed = (ingresses: readonly Ingress[], host: string, path: string): string | undefined =>
  routeOf(planRoutes(ingresses), host, path)?.service.slice('ns/'.length);

describe('paths', () => {
  const one = ingress('one', {
    rules: [
      rule('h', 'Exact /foo exact', 'Prefix /foo/ prefix', 'Prefix /foo/bar longer', 'ImplementationSpecific /own own'),
    ],
  });
  test.each([
    ['/foo', 'exact'],
    ['/foo/', 'prefix'],
    ['/foo/x', 'prefix'],
    ['/foo//bar', 'prefix'],
    ['/foo/bar', 'longer'],
    ['/foo/bar/', 'longer'],
    ['/foo/bar/baz', 'longer'],
    ['/foo/barbaz', 'prefix'],
    ['/foobar', undefined],
    ['/own/more', 'own'],
    ['/', undefined],
    ['/FOO', undefined],
  ])('%s goes to %s', (path, expected) => expect(routed([one], 'h', path)).toBe(expected));

  test('the root takes everything', () => {
    const all = ingress('all', { rules: [rule('h', 'Prefix / root')] });
    for (const path of ['/', '/a', '/a/b']) expect(routed([all], 'h', path)).toBe('root');
  });

  test('a path that is left out is the root', () => {
    const http = { paths: [{ pathType: 'ImplementationSpecific', backend: backend('any') }] };
    expect(routed([ingress('any', { rules: [{ http }] })], 'h', '/x')).toBe('any');
  });
});

describe('hosts', () => {
  const all = [
    ingress('hosts', {
      rules: [
        rule('a.example.com', 'Prefix /own precise'),
        rule('*.example.com', 'Prefix /own wild', 'Prefix /wild wild'),
        rule('', 'Prefix /own any', 'Prefix /any any'),
      ],
    }),
  ];
  test.each([
    ['a.example.com', '/own', 'precise'],
    ['a.example.com', '/wild', 'wild'],
    ['a.example.com', '/any', 'any'],
    ['b.example.com', '/own', 'wild'],
    ['b.a.example.com', '/own', 'any'],
    ['example.com', '/own', 'any'],
    ['', '/own', 'any'],
    ['a.example.com', '/other', undefined],
  ])('%s%s goes to %s', (host, path, expected) => expect(routed(all, host, path)).toBe(expected));
});

describe('default backends', () => {
  const withRules = ingress('rules', { rules: [rule('h', 'Prefix /known known')], defaultBackend: backend('own') });
  const bare = ingress('bare', { defaultBackend: backend('bare') }, '2026-02-01T00:00:00Z');
  test.each([
    [[withRules], 'h', '/known', 'known'],
    [[withRules], 'h', '/unknown', 'own'],
    [[withRules], 'elsewhere', '/', 'own'],
    [[withRules, bare], 'h', '/unknown', 'own'],
    [[withRules, bare], 'elsewhere', '/', 'bare'],
    [[], 'h', '/', undefined],
  ] as const)('of %j', (ingresses, host, path, expected) => expect(routed(ingresses, host, path)).toBe(expected));
});

test('the oldest keeps what several claim, then the first by name', () => {
  const late = ingress('a', { rules: [rule('h', 'Prefix / late')] }, '2026-03-01T00:00:00Z');
  const early = ingress('b', { rules: [rule('h', 'Prefix / early')] }, '2026-02-01T00:00:00Z');
  const same = ingress('c', { rules: [rule('h', 'Prefix / same')] }, '2026-02-01T00:00:00Z');
  for (const order of [
    [late, early, same],
    [same, early, late],
  ])
    expect(routed(order, 'h', '/')).toBe('early');
});

test('a resource as backend leads nowhere', () => {
  const resource = { apiGroup: 'example.com', kind: 'Bucket', name: 'b' };
  const routes = planRoutes([ingress('one', { defaultBackend: { resource } })]);
  expect(routeOf(routes, 'h', '/')).toEqual({ service: '', port: 0 });
});

describe('classes', () => {
  const classes = ownClasses(
    [
      { metadata: { name: 'ours' }, spec: { controller: controllerName } },
      { metadata: { name: 'theirs' }, spec: { controller: 'example.com/other' } },
    ],
    'touchstone',
  );
  const annotated = (name: string): Ingress => ({ metadata: { annotations: { 'kubernetes.io/ingress.class': name } } });
  test.each<[Ingress, boolean]>([
    [{ spec: { ingressClassName: 'ours' } }, true],
    [{ spec: { ingressClassName: 'touchstone' } }, true],
    [{ spec: { ingressClassName: 'theirs' } }, false],
    [{ spec: {} }, true],
    [annotated('ours'), true],
    [annotated('theirs'), false],
    [{ ...annotated('theirs'), spec: { ingressClassName: 'ours' } }, true],
  ])('%j', (one, expected) => expect(isOurs(one, classes)).toBe(expected));
});

test('certificates by host, wildcard, and for everybody', () => {
  const names = planCertificates([
    ingress('one', {
      tls: [{ hosts: ['A.example.com', '*.example.com'], secretName: 'named' }, { secretName: 'any' }],
    }),
    ingress(
      'two',
      { tls: [{ hosts: ['a.example.com'], secretName: 'late' }, { hosts: ['b.test'] }] },
      '2026-02-01T00:00:00Z',
    ),
  ]);
  expect(
    ['a.example.com', 'b.example.com', 'a.b.example.com', 'b.test', ''].map((host) => certificateOf(names, host)),
  ).toEqual(['ns/named', 'ns/named', 'ns/any', 'ns/any', 'ns/any']);
  expect(certificateOf(planCertificates([]), 'a.example.com')).toBeUndefined();
});

test('the status names every port that is open for an Ingress', () => {
  const point = { host: '127.0.0.1', httpPort: 80, httpsPort: 443 };
  const plain = ingress('plain', {});
  expect(pointsOf(plain, point)).toEqual([{ ip: '127.0.0.1', ports: [{ port: 80, protocol: 'TCP' }] }]);
  const points = pointsOf(ingress('tls', { tls: [{}] }), { ...point, host: 'in.example.com' });
  expect(points).toEqual([
    {
      hostname: 'in.example.com',
      ports: [
        { port: 80, protocol: 'TCP' },
        { port: 443, protocol: 'TCP' },
      ],
    },
  ]);
  expect(shows({ ...plain, status: { loadBalancer: { ingress: points } } }, points)).toBe(true);
  expect(shows(plain, points)).toBe(false);
});

test('a path of slashes alone is routed in no time', () => {
  const routes = planRoutes([ingress('a', { rules: [rule('', 'Prefix /a a')] })]);
  const start = worked();
  for (let turn = 0; turn < 20; turn += 1) expect(routeOf(routes, 'h', '/'.repeat(15_000))).toBeUndefined();
  expect(worked() - start).toBeLessThan(500);
});
