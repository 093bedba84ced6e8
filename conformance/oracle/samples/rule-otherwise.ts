import { authorityPem, base64, certificatePem, missigned, signingRequestPem } from '../../../fixtures/certificates.ts';
import type { Json } from '../../verbs/client.ts';
import { condition, each, long, many, type Otherwise, specs, statuses } from './otherwise.ts';
import { fieldSchemas, outerSchemas } from './schema-otherwise.ts';

const otherPem = '-----BEGIN OTHER-----\nAAAA\n-----END OTHER-----\n';

/** The first two are as they should be. */
const certificates: readonly string[] = [
  certificatePem,
  `${certificatePem}${authorityPem}`,
  'nothing',
  otherPem,
  `${certificatePem}${otherPem}`,
  `${certificatePem}${authorityPem.replaceAll('CERTIFICATE', 'OTHER')}`,
  `before\n${certificatePem}`,
  `${certificatePem}after\n`,
  certificatePem.replace('-----\n', '-----\nSome: header\n\n'),
  certificatePem.slice(0, 200),
  signingRequestPem,
];

const request: Otherwise = {
  states: specs({ usages: ['server auth'] }, { expirationSeconds: null }),
  odd: [
    ...specs(
      ...each(
        'signerName',
        'example.com/other',
        'nodomain',
        '',
        'a/b/c',
        'Bad.Domain/a',
        'example.com/',
        'kubernetes.io/legacy-unknown',
      ),
      ...each('signerName', 'kubernetes.io/kube-apiserver-client', 'kubernetes.io/kubelet-serving', null),
      ...each('usages', [], ['other'], ['client auth', 'client auth'], null, ['any']),
      ...each('expirationSeconds', 599, 600, 0, -1),
      ...each(
        'request',
        '',
        base64('nothing'),
        base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
        base64(missigned(signingRequestPem)),
        base64(signingRequestPem.replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST')),
      ),
      { username: 'somebody', groups: ['some'], uid: 'other', extra: { a: ['b'] } },
      { extra: { more: ['a'] } },
    ),
    { status: { conditions: [condition('Approved')] } },
  ],
  statuses: statuses(
    ...each('certificate', ...certificates.map(base64)),
    { conditions: [condition('Approved')] },
    { conditions: [condition('Failed'), condition('Failed')] },
    { conditions: [condition('Failed', { status: 'False' })] },
    { conditions: [condition('Other', { status: 'Unknown' })] },
    { conditions: [condition('')] },
  ),
};

const rule = (more: Json): Json => ({
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], ...more }],
});
const roleOdd: readonly Json[] = [
  rule({ verbs: [] }),
  rule({ verbs: null }),
  rule({ resources: [] }),
  rule({ apiGroups: [] }),
  rule({ apiGroups: null, resources: null }),
  rule({ apiGroups: null, resources: null, nonResourceURLs: ['/some'] }),
  rule({ nonResourceURLs: ['/some'] }),
  rule({ apiGroups: null, resources: null, nonResourceURLs: ['some', '/a*b', '*'] }),
  rule({ resourceNames: ['Bad Name'] }),
  { rules: [] },
  { rules: null },
];
const subject = (more: Json): Json => ({
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'a', ...more }],
});
const bindingOdd: readonly Json[] = [
  ...each(
    'roleRef',
    { name: 'other' },
    { kind: 'ClusterRole' },
    { kind: 'Role' },
    { kind: 'Other' },
    { apiGroup: 'other' },
    { name: '' },
    null,
  ),
  ...[{ kind: 'Other' }, { name: '' }, { apiGroup: 'other' }, { apiGroup: null }, { namespace: 'default' }].map(
    subject,
  ),
  ...each('subjects', [], null),
  ...[{}, { namespace: 'default' }, { namespace: 'default', name: 'Bad Name' }].map((more) =>
    subject({ kind: 'ServiceAccount', apiGroup: null, ...more }),
  ),
];

const version = (name: string, more: Json = {}): Json => ({
  ...{ name, served: true, storage: true },
  ...{ schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
  ...more,
});
const schema = (openAPIV3Schema: Json): Json => ({ versions: [version('v1', { schema: { openAPIV3Schema } })] });
const property = (some: Json): Json => schema({ type: 'object', properties: { spec: some } });

/** By a webhook behind a service that there is not. */
const convertedBy = (more: Json): Json => ({
  strategy: 'Webhook',
  webhook: {
    clientConfig: { service: { namespace: 'default', name: 'none', ...more } },
    conversionReviewVersions: ['v1'],
  },
});

const definition: Otherwise = {
  states: specs({ versions: [version('v1'), version('v2', { storage: false })] }, { scope: 'Cluster' }),
  odd: specs(
    ...each('scope', 'Namespaced', 'Other', null),
    ...each('group', 'other.example', ''),
    ...each('preserveUnknownFields', true, false),
    ...each(
      'versions',
      [],
      [version('v1', { storage: false })],
      [version('v1'), version('v1')],
      [version('v1'), version('v2')],
    ),
    ...each('versions', [version('Bad Name')], [version('v1', { schema: null })], [version('v1', { served: false })]),
    ...each(
      'names',
      { kind: 'lower' },
      { kind: 'Kother' },
      { plural: 'Bad' },
      { shortNames: ['a', 'Bad Name'] },
      { categories: ['all'] },
      { categories: ['all', 'Bad Name'] },
      { listKind: 'KaList' },
    ),
    ...each('conversion', { strategy: 'None' }, { strategy: 'Webhook' }, { strategy: 'Other' }),
    ...each('conversion', convertedBy({}), convertedBy({ path: 'some', port: 8443 }), convertedBy({ port: 0 })),
    schema({ type: 'string' }),
    schema({}),
    property({}),
    property({ type: 'integer', default: 'text' }),
    property({ type: 'integer', default: 5, minimum: 7 }),
    property({ type: 'array' }),
    property({ type: 'object', additionalProperties: false }),
    ...['text', 5, []].map((some) => property({ type: 'object', additionalProperties: some })),
    ...['text', true, [{ type: 'string' }]].map((items) => property({ type: 'array', items })),
    property({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }),
    property({ type: 'string', 'x-kubernetes-preserve-unknown-fields': true }),
    property({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'map' }),
    property({ type: 'object', 'x-kubernetes-validations': [{ rule: 'self.none > 1' }] }),
    property({ type: 'object', 'x-kubernetes-validations': [{ rule: '' }] }),
    property({ type: 'string', pattern: '(' }),
    { versions: [version('v1', { additionalPrinterColumns: [{ name: 'A', type: 'other', jsonPath: 'bad' }] })] },
    {
      versions: [
        version('v1', { subresources: { scale: { specReplicasPath: 'bad', statusReplicasPath: '.status.a' } } }),
      ],
    },
    { versions: [version('v1', { deprecated: true, deprecationWarning: 'old' })] },
    { versions: [version('v1', { deprecationWarning: 'old' })] },
  ),
  fresh: specs(...fieldSchemas.map(property), ...outerSchemas.map(schema)),
};

/** What custom objects may say that others may not, or the other way round. */
const metadataOdd: readonly Json[] = each('metadata', { finalizers: ['plain'] }, { finalizers: ['not good/'] });

const gauge: Otherwise = {
  states: specs({ color: 'green', size: 60 }, { entries: null, tags: null }),
  odd: [
    ...metadataOdd,
    ...specs(
      ...each('size', 0, 101, 1, 50, null, 1.5, '5'),
      ...each('word', 'a', long(11), 'UPPER', '', '😀'.repeat(6), '😀'),
      ...each('keyed', { one: null, two: 2 }, {}),
      ...each('each', { one: {} }, { one: { more: 1, share: 5 } }),
      ...each('code', 'a1b', '7', 'ab', ''),
      ...each('color', 'blue', null),
      ...each('when', 'yesterday', '2024-05-06T07:08:09Z'),
      ...each('share', 5, '5%', 1.5, {}),
      ...each('ratio', 0.3, 2.5, 0, -1),
      ...each('flag', null, 'true'),
      ...each('replicas', -1, 0, 7, null),
      ...each(
        'entries',
        [{ name: 'a' }, { name: 'a' }],
        many(5, (at) => ({ name: `n${at}` })),
        [{ value: 1 }],
      ),
      ...each('tags', ['a', 'a'], [5]),
      ...each('whole', ['a', 'a'], []),
      ...each('atom', { b: 'b' }, { c: 'c' }),
      ...each('free', { other: [null] }, null),
      ...each(
        'entries',
        [
          { name: 'two', value: 7 },
          { name: 'one', value: 1 },
        ],
        [
          { name: 'one', value: 1 },
          { name: 'two', value: 0 },
        ],
      ),
      ...each('counts', { two: 'x' }, { two: 2 }, {}, { one: null }, { a: 1, b: 2, c: 3, d: 4 }),
      ...each('step', 7, 15),
      ...each('spread', [1, null], [null]),
      ...each('holes', [null, 'one'], []),
      ...each('choice', {}, { a: 'a' }, { a: 'a', b: 'b' }),
      ...each(
        'inner',
        {},
        { kind: null },
        { apiVersion: '' },
        { more: 1 },
        { metadata: { more: 1, labels: { a: 5 } } },
        null,
      ),
      ...each('nested', {}, null, { deep: 'up', more: 1 }),
    ),
  ],
  statuses: statuses(
    ...each('replicas', 'one', -1, 1.5),
    ...each('phase', 5, 'Other'),
    ...each('selector', 'not a (selector', ''),
    { unknown: 1 },
  ),
};

/** Kinds that say what others may be or do. */
export const ruleOtherwise: Readonly<Record<string, Otherwise>> = {
  CertificateSigningRequest: request,
  Role: { states: [], odd: roleOdd },
  ClusterRole: {
    states: [{ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { none: 'such' } }] } }],
    odd: [...roleOdd, ...each('aggregationRule', {}, { clusterRoleSelectors: [] })],
  },
  RoleBinding: { states: [], odd: bindingOdd },
  ClusterRoleBinding: { states: [], odd: bindingOdd },
  CustomResourceDefinition: definition,
  Gauge: gauge,
  Realm: gauge,
  Note: gauge,
};
