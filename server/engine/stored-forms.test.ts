import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import { customResourceDefinition } from '../custom-resources/definition/definition.ts';
import { kindsFor } from '../kinds/index.ts';
import { encodeProtobuf } from '../schema/protobuf/protobuf.ts';
import { lineOf } from '../store/etcd/value-format.ts';
import { storedForms } from './stored-forms.ts';

const forms = storedForms([...kindsFor(), customResourceDefinition]);
const metadata = { name: 'a', namespace: 'b', uid: 'u' };

/** What is read of a value that another server has stored. */
function read(key: string, value: object | Buffer): KubeObject {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  return JSON.parse(lineOf(key, bytes, 9, forms).toString());
}

describe('what a v1.25 server stores in a version that it does not serve', () => {
  const stored = (kind: string, apiVersion: string, rest: object) => ({ kind, apiVersion, metadata, ...rest });
  const mark = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

  it.each([
    [{}, { matchExpressions: [{ key: mark, operator: 'Exists' }] }],
    [{ matchExpressions: [{ key: mark, operator: 'DoesNotExist' }] }, {}],
    [{ matchLabels: { a: 'b' } }, { matchLabels: { a: 'b' } }],
    [undefined, undefined],
  ])('a budget with the selector %j has %j', (selector, shown) => {
    const budget = stored('PodDisruptionBudget', 'policy/v1beta1', { spec: { minAvailable: 1, selector } });
    for (const form of [budget, encodeProtobuf(budget)]) {
      const { apiVersion, spec } = read('policy/poddisruptionbudgets/b/a', form);
      expect(apiVersion).toBe('policy/v1');
      expect(spec).toEqual({ minAvailable: 1, ...(shown && { selector: shown }) });
    }
  });

  it.each([
    ['rbac.authorization.k8s.io/v1', 'Role', 'roles/b', {}, { rules: null }],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles/', {}, { rules: null }],
    ['storage.k8s.io/v1', 'CSINode', 'csinodes/', { spec: {} }, { spec: { drivers: null } }],
    ['v1', 'LimitRange', 'limitranges/b', { spec: {} }, { spec: { limits: null } }],
    [
      'discovery.k8s.io/v1',
      'EndpointSlice',
      'endpointslices/b',
      { addressType: 'IPv4' },
      { endpoints: null, ports: null },
    ],
  ])(
    'lists of %s %s that are always written are null where protobuf leaves them out',
    (apiVersion, kind, path, sent, told) => {
      const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
      expect(read(`${group}/${path}/a`, encodeProtobuf(stored(kind, apiVersion, sent)))).toMatchObject(told);
    },
  );

  it.each([
    [
      { type: 'ClusterIP', clusterIP: '10.0.0.7' },
      { clusterIPs: ['10.0.0.7'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    ],
    [
      { type: 'ClusterIP', clusterIP: 'None', selector: { a: 'b' } },
      { clusterIPs: ['None'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    ],
    [
      { type: 'ClusterIP', clusterIP: 'None' },
      { clusterIPs: ['None'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    ],
    [{ type: 'ExternalName', externalName: 'a.b', clusterIP: 'None' }, { clusterIPs: ['None'] }],
    [{ type: 'ExternalName', externalName: 'a.b' }, {}],
    // Made through its status, it has no address.
    [{ type: 'ClusterIP' }, {}],
  ])('a Service of the time before there were lists of addresses has them: %j', (sent, told) => {
    const { spec } = read('/services/b/a', encodeProtobuf(stored('Service', 'v1', { spec: sent })));
    const { clusterIPs, ipFamilies, ipFamilyPolicy } = spec as Record<string, unknown>;
    expect({ clusterIPs, ipFamilies, ipFamilyPolicy }).toEqual(told);
  });

  it('the zone of an endpoint is among its labels there', () => {
    const zone = { 'topology.kubernetes.io/zone': 'z', 'kubernetes.io/hostname': 'n' };
    const slice = stored('EndpointSlice', 'discovery.k8s.io/v1beta1', {
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['1.2.3.4'], conditions: { ready: true }, topology: zone, hints: { forZones: [{ name: 'z' }] } },
        { addresses: ['1.2.3.5'], nodeName: 'm' },
      ],
      ports: [{ name: '', port: 80, protocol: 'TCP' }],
    });
    for (const form of [slice, encodeProtobuf(slice)])
      expect(read('discovery.k8s.io/endpointslices/b/a', form)).toMatchObject({
        apiVersion: 'discovery.k8s.io/v1',
        endpoints: [
          { conditions: { ready: true }, nodeName: 'n', zone: 'z', hints: { forZones: [{ name: 'z' }] } },
          { addresses: ['1.2.3.5'], nodeName: 'm' },
        ],
        ports: [{ name: '', port: 80, protocol: 'TCP' }],
      });
  });

  const definition = (spec: object) =>
    read(
      'apiextensions.k8s.io/customresourcedefinitions//as.example.com',
      stored('CustomResourceDefinition', 'apiextensions.k8s.io/v1beta1', {
        spec: { group: 'example.com', names: { plural: 'as', kind: 'A' }, scope: 'Namespaced', ...spec },
      }),
    )['spec'] as { versions: object[]; conversion: object; preserveUnknownFields?: boolean };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [
    { name: 'v1', served: true, storage: true },
    { name: 'v2', served: true, storage: false },
  ];

  it('a definition says once what all its versions have', () => {
    const spec = definition({
      version: 'v1',
      versions,
      validation: schema,
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: 'n', type: 'string', JSONPath: '.spec.n' }],
      preserveUnknownFields: false,
    });
    const common = {
      schema,
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: 'n', type: 'string', jsonPath: '.spec.n' }],
    };
    expect(spec.versions).toEqual(versions.map((version) => ({ ...version, ...common })));
    expect(Object.keys(spec)).not.toContain('version');
    expect(spec.preserveUnknownFields).toBeUndefined();
  });

  it('a definition may say it of each version, and who converts', () => {
    const columns = (JSONPath: string) => ({ additionalPrinterColumns: [{ name: 'n', type: 'string', JSONPath }] });
    const service = { namespace: 'a', name: 'b', port: 443 };
    const spec = definition({
      version: 'v1',
      versions: [
        { ...versions[0], ...columns('.a'), schema },
        { ...versions[1], ...columns('.b') },
      ],
      conversion: { strategy: 'Webhook', webhookClientConfig: { service }, conversionReviewVersions: ['v1'] },
    });
    expect(spec.versions).toMatchObject([
      { additionalPrinterColumns: [{ jsonPath: '.a' }], schema },
      { additionalPrinterColumns: [{ jsonPath: '.b' }] },
    ]);
    expect(spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] },
    });
    expect(spec.preserveUnknownFields).toBe(true);
  });

  it('a definition may have a single version', () => {
    expect(definition({ version: 'v1', validation: schema }).versions).toEqual([{ ...versions[0], schema }]);
  });
});

describe('what a server stores as protobuf', () => {
  it('is without what is empty, and with what is always written', () => {
    const empty = { ...metadata, generateName: '', selfLink: '', generation: 0, managedFields: [{ subresource: '' }] };
    const { metadata: read1, ...rest } = read(
      'apps/statefulsets/b/a',
      encodeProtobuf({
        kind: 'StatefulSet',
        apiVersion: 'apps/v1',
        metadata: empty,
        spec: { serviceName: 's', template: { metadata: {}, spec: { hostname: '' } } },
      }),
    );
    expect(read1).toEqual({ ...metadata, resourceVersion: '9', creationTimestamp: null, managedFields: [{}] });
    expect(rest).toMatchObject({ spec: { template: { metadata: { creationTimestamp: null } } }, status: {} });
    expect((rest['spec'] as { template: { spec: object } }).template.spec).not.toHaveProperty('hostname');
  });

  it('is of another version, where that is stored', () => {
    const spec = {
      maxReplicas: 3,
      scaleTargetRef: { kind: 'Deployment', name: 'd' },
      targetCPUUtilizationPercentage: 50,
    };
    const autoscaler = { kind: 'HorizontalPodAutoscaler', apiVersion: 'autoscaling/v1', metadata, spec };
    expect(read('autoscaling/horizontalpodautoscalers/b/a', encodeProtobuf(autoscaler))).toMatchObject({
      apiVersion: 'autoscaling/v2',
      spec: { metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 50 } } }] },
    });
  });
});

it('leaves custom resources as they are', () => {
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: { empty: '', none: null } };
  expect(read('example.com/things/b/a', thing)).toEqual({ ...thing, metadata: { ...metadata, resourceVersion: '9' } });
});

describe('what is stored in the right version', () => {
  const service = (spec: unknown) => ({ kind: 'Service', apiVersion: 'v1', metadata, spec });

  it('is read as it is', () => {
    const spec = { ports: null, selector: { a: 'b' } };
    expect(read('/services/b/a', { ...service(spec), more: 1 })).toMatchObject({ spec, more: 1 });
  });

  it.each([
    [service('none'), 'spec'],
    [service({ clusterIPs: 5 }), 'spec.clusterIPs'],
    [{ ...service({}), metadata: { ...metadata, labels: ['a'] } }, 'metadata.labels'],
  ])('is refused when it is nothing of its kind: %j', (value, where) => {
    expect(() => read('/services/b/a', value)).toThrow(where);
  });
});
