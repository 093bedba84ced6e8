import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import type { KindRules } from '../strategy.ts';
import { ingress } from './ingress.ts';
import { ingressClass } from './ingress-class.ts';
import { networkPolicy } from './network-policy.ts';

type Row = readonly [string, object, readonly string[]];

const backend = { service: { name: 's', port: { number: 80 } } };
const defaults = (defaultBackend: object) => ({ spec: { defaultBackend } });
const host = (name: string) => ({ spec: { rules: [{ host: name }] } });
const path = (fields: object) => ({ spec: { rules: [{ http: { paths: [{ backend, ...fields }] } }] } });
const pathAt = 'spec.rules[0].http.paths[0]';
const [ready, denied] = [
  { type: 'Accepted', status: 'True' },
  { type: 'Accepted', status: 'False' },
];

const ingresses: readonly Row[] = [
  ['nowhere to go', {}, ['spec Invalid']],
  ['no rules', { spec: { rules: [] } }, ['spec Invalid']],
  ['an empty rule', { spec: { rules: [{}] } }, []],
  ['no backend', defaults({}), ['spec.defaultBackend Invalid']],
  ['two backends', defaults({ ...backend, resource: {} }), ['spec.defaultBackend Invalid']],
  [
    'a resource without kind and name',
    defaults({ resource: {} }),
    ['spec.defaultBackend.resource.kind Required', 'spec.defaultBackend.resource.name Required'],
  ],
  [
    'an odd resource',
    defaults({ resource: { apiGroup: '', kind: 'a/b', name: '..' } }),
    [
      'spec.defaultBackend.resource.apiGroup Invalid',
      'spec.defaultBackend.resource.kind Invalid',
      'spec.defaultBackend.resource.name Invalid',
    ],
  ],
  [
    'a service without name and port',
    defaults({ service: {} }),
    ['spec.defaultBackend.service.name Required', 'spec.defaultBackend Required'],
  ],
  [
    'a service with an odd name',
    defaults({ service: { name: '1s', port: { name: 'http' } } }),
    ['spec.defaultBackend.service.name Invalid'],
  ],
  ['port 0', defaults({ service: { name: 's', port: { number: 0 } } }), ['spec.defaultBackend Required']],
  [
    'port name and number',
    defaults({ service: { name: 's', port: { name: 'a', number: 1 } } }),
    ['spec.defaultBackend Invalid'],
  ],
  [
    'a port out of range',
    defaults({ service: { name: 's', port: { number: -1 } } }),
    ['spec.defaultBackend.service.port.number Invalid'],
  ],
  [
    'an odd port name',
    defaults({ service: { name: 's', port: { name: 'HTTP' } } }),
    ['spec.defaultBackend.service.port.name Invalid', 'spec.defaultBackend.service.port.name Invalid'],
  ],
  ['an IPv4 host', host('10.0.0.1'), ['spec.rules[0].host Invalid']],
  ['an IPv6 host', host('2001:db8::1'), ['spec.rules[0].host Invalid', 'spec.rules[0].host Invalid']],
  ['a wildcard host', host('*.foo.com'), []],
  ['a star elsewhere', host('a.*.com'), ['spec.rules[0].host Invalid']],
  ['http without paths', { spec: { rules: [{ http: {} }] } }, ['spec.rules[0].http.paths Required']],
  ['no path type', path({ path: 'x', backend: {} }), [`${pathAt}.pathType Required`]],
  [
    'an unknown path type',
    path({ path: 'x', pathType: 'Regex', backend: {} }),
    [`${pathAt}.pathType NotSupported`, `${pathAt}.backend Invalid`],
  ],
  ['no path', path({ pathType: 'Prefix' }), [`${pathAt}.path Invalid`]],
  ['any own path', path({ path: '/a//b', pathType: 'ImplementationSpecific' }), []],
  ['an own path that is relative', path({ path: 'a', pathType: 'ImplementationSpecific' }), [`${pathAt}.path Invalid`]],
  [
    'an ambiguous path',
    path({ path: '/a//b/./c%2F/..', pathType: 'Exact' }),
    Array.from({ length: 4 }, () => `${pathAt}.path Invalid`),
  ],
  [
    'tls',
    { spec: { defaultBackend: backend, tls: [{ hosts: ['10.0.0.1', 'A'], secretName: 'a/b' }, {}] } },
    ['spec.tls[0].hosts[1] Invalid', 'spec.tls[0].secretName Invalid'],
  ],
  ['an empty class', { spec: { defaultBackend: backend, ingressClassName: '' } }, ['spec.ingressClassName Invalid']],
];

const params = (parameters: object) => ({ spec: { controller: 'a.b/c', parameters } });
const at = 'spec.parameters';

const classes: readonly Row[] = [
  ['no controller', {}, ['spec.controller Required']],
  ['a controller without a domain', { spec: { controller: 'nginx' } }, ['spec.controller Invalid']],
  ['a controller with blanks', { spec: { controller: 'a.b/c d' } }, ['spec.controller Invalid']],
  ['a long controller', { spec: { controller: `a.b/${'c'.repeat(250)}` } }, ['spec.controller TooLong']],
  ['parameters without kind and name', params({}), [`${at}.kind Required`, `${at}.name Required`]],
  ['no namespace', params({ kind: 'K', name: 'n', scope: 'Namespace' }), [`${at}.namespace Required`]],
  ['a namespace too many', params({ kind: 'K', name: 'n', namespace: 'x' }), [`${at}.namespace Forbidden`]],
  ['an unknown scope', params({ kind: 'K', name: 'n', scope: 'Galaxy' }), [`${at}.scope NotSupported`]],
];

const from = (...peers: object[]) => ({ spec: { ingress: [{ from: peers }] } });
const ports = (...list: object[]) => ({ spec: { egress: [{ ports: list }] } });
const peerAt = 'spec.ingress[0].from[0]';
const portAt = 'spec.egress[0].ports[0]';

const policies: readonly Row[] = [
  ['nothing', {}, []],
  ['odd types', { spec: { policyTypes: ['ingress'] } }, ['spec.policyTypes[0] NotSupported']],
  ['three types', { spec: { policyTypes: ['Ingress', 'Egress', 'Ingress'] } }, ['spec.policyTypes Invalid']],
  ['an empty peer', from({}), [`${peerAt} Required`]],
  ['a range beside a selector', from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }), [`${peerAt} Forbidden`]],
  ['no range', from({ ipBlock: {} }), [`${peerAt}.ipBlock.cidr Required`]],
  ['an odd range', from({ ipBlock: { cidr: '10.0.0.0' } }), [`${peerAt}.ipBlock.cidr Invalid`]],
  [
    'exceptions',
    from({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '10.0.0.0/8', '11.0.0.0/16', 'x', 'y'] } }),
    [
      `${peerAt}.ipBlock.except[1] Invalid`,
      `${peerAt}.ipBlock.except[2] Invalid`,
      `${peerAt}.ipBlock.except[3] Invalid`,
    ],
  ],
  ['a range of ports', ports({ port: 80, endPort: 90 }), []],
  ['a range that ends before it begins', ports({ port: 80, endPort: 79 }), [`${portAt}.endPort Invalid`]],
  ['a range without beginning', ports({ endPort: 79 }), [`${portAt}.endPort Invalid`]],
  ['a range from a name', ports({ port: 'http', endPort: 79 }), [`${portAt}.endPort Invalid`]],
  [
    'an odd protocol and port',
    ports({ protocol: 'ICMP', port: 0 }),
    [`${portAt}.protocol NotSupported`, `${portAt}.port Invalid`],
  ],
];

describe.each([
  ['an Ingress', ingress, ingresses],
  ['an IngressClass', ingressClass, classes],
  ['a NetworkPolicy', networkPolicy, policies],
] as readonly [string, KindRules, readonly Row[]][])('%s with', (_, rules, table) => {
  test.each(table)('%s', async (_case, fields, causes) => {
    expect((await tryCreate(rules, sample(rules, fields))).causes).toEqual(causes);
  });
});

describe('the class of an Ingress', () => {
  const both = { spec: { defaultBackend: backend, ingressClassName: 'a' } };
  const annotations = { 'kubernetes.io/ingress.class': '' };

  test('is named once on creation', async () => {
    const { causes } = await tryCreate(ingress, sample(ingress, both, { annotations }));
    expect(causes).toEqual(['annotations.kubernetes.io/ingress.class Invalid']);
  });

  test('may be named twice later', async () => {
    const { causes } = await tryUpdate(ingress, sample(ingress, both), (next) => {
      next.metadata.annotations = annotations;
    });
    expect(causes).toEqual([]);
  });
});

describe('the status of an Ingress', () => {
  const write = (points: object[]) =>
    tryUpdate(
      ingress,
      sample(ingress, defaults(backend)),
      (next) => {
        next.spec = {};
        next.status = { loadBalancer: { ingress: points } };
      },
      { subresource: 'status' },
    );

  test('leaves the spec alone and fills in what is always shown', async () => {
    const { object } = await write([{ ip: '10.0.0.1', ports: [{}] }]);
    expect(object).toMatchObject({
      spec: { defaultBackend: backend },
      status: { loadBalancer: { ingress: [{ ports: [{ port: 0, protocol: '' }] }] } },
    });
  });

  test.each([
    [{}, []],
    [{ ip: 'foo' }, ['status.loadBalancer.ingress[0].ip Invalid']],
    [{ hostname: 'Foo' }, ['status.loadBalancer.ingress[0].hostname Invalid']],
    [{ hostname: '10.0.0.1' }, ['status.loadBalancer.ingress[0].hostname Invalid']],
    [{ ip: '::1', hostname: 'a.b', ports: [{ port: 70_000, protocol: 'X' }] }, []],
  ])('checks addresses, not ports: %j', async (point, causes) => {
    expect((await write([point])).causes).toEqual(causes);
  });
});

test('a controller stays', async () => {
  const stored = sample(ingressClass, { spec: { controller: 'a.b/c' } });
  const { causes } = await tryUpdate(ingressClass, stored, (next) => {
    next.spec.controller = 'a.b/d';
  });
  expect(causes).toEqual(['spec.controller Invalid']);
});

test.each([
  [{}, ['Ingress']],
  [{ egress: [{}] }, ['Ingress', 'Egress']],
  [{ egress: [] }, ['Ingress']],
])('a policy is about what it has rules for: %j', async (spec, policyTypes) => {
  expect((await tryCreate(networkPolicy, sample(networkPolicy, { spec }))).object).toMatchObject({
    spec: { policyTypes, podSelector: {} },
    status: {},
  });
});

test('a policy has the status that it was made with', async () => {
  const status = { conditions: [{ type: 'T', status: 'True' }] };
  const { object } = await tryCreate(networkPolicy, sample(networkPolicy, { spec: {}, status }));
  expect(object).toMatchObject({ status });
  const changed = await tryUpdate(networkPolicy, object, (next) => Reflect.deleteProperty(next, 'status'));
  expect(changed.object).toMatchObject({ status });
});

test.each([
  ['one that tells nothing is as an update says', {}, [], { conditions: [ready] }],
  ['an update changes no condition', { conditions: [denied] }, [], { conditions: [denied] }],
  ['an update changes nothing where it is the server that keeps it', {}, ['NetworkPolicyStatus'], {}],
])('the status of a policy: %s', async (_, status, gates, kept) => {
  const stored = sample(networkPolicy, { spec: { policyTypes: ['Ingress'] }, status });
  const change = (next: KubeObject) => Object.assign(next, { status: { conditions: [ready] } });
  const { object } = await tryUpdate(networkPolicy, stored, change, { gates });
  expect(object['status']).toEqual(kept);
});

test('the table of ingresses abridges hosts and sorts addresses', () => {
  const points = [{ hostname: 'b.example' }, { ip: '10.0.0.1', hostname: 'a' }, { ip: '10.0.0.1' }];
  const object = sample(ingress, {
    spec: { rules: [{ host: 'a' }, {}, { host: 'b' }, { host: 'c' }, { host: 'd' }], tls: [{}] },
    status: { loadBalancer: { ingress: points } },
  });
  expect(ingress.table?.cells(object, 0)).toEqual([
    'x',
    '<none>',
    'a,b,c + 2 more...',
    '10.0.0.1,b.example',
    '80, 443',
    '<unknown>',
  ]);
});
