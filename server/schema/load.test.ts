import { describe, expect, test } from 'vitest';
import {
  apiGroups,
  apiOperations,
  bootstrapObjects,
  builtInResources,
  definitionOfKind,
  protobufMessages,
  protobufNameOf,
  structureOf,
  structureOfKind,
} from './load.ts';
import { definitionOfVersion3, definitionsOfVersion2 } from './openapi-definitions.ts';
import { keepsEmpty, keptFields } from './pointers.ts';
import type { Field, Structure } from './structure.ts';

/** The field at a dotted path below a kind; lists and maps are passed through. */
function fieldAt(kind: readonly [string, string, string], path: string): Field {
  let type: Structure | undefined = structureOfKind(...kind);
  let field: Field | undefined;
  for (const name of path.split('.')) {
    while (type?.type === 'list' || type?.type === 'map') type = type.type === 'list' ? type.items : type.values;
    field = type?.type === 'struct' ? type.fields.get(name) : undefined;
    type = field?.type;
  }
  if (!field) throw new Error(`no field ${path}`);
  return field;
}

const pod = ['', 'v1', 'Pod'] as const;
const service = ['', 'v1', 'Service'] as const;

describe('structures', () => {
  test('every resource that stores something has one', () => {
    const without = builtInResources().filter(({ group, version, kind }) => !structureOfKind(group, version, kind));
    expect(without).toEqual([]);
  });

  test('are built once and may refer to themselves', () => {
    const schema = structureOf('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    expect(structureOf('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps')).toBe(schema);
    if (schema?.type !== 'struct') throw new Error('no struct');
    expect(schema.fields.get('not')?.type).toBe(schema);
    expect(schema.fields.get('items')?.type).toMatchObject({ type: 'any', inside: schema });
  });

  test('unknown names have none', () => {
    expect(structureOf('constructor')).toBeUndefined();
    expect(structureOfKind('', 'v1', 'Nope')).toBeUndefined();
    expect(definitionOfKind('', 'v1', 'PodExecOptions')).toBeUndefined();
  });

  test.each([
    [pod, 'metadata.creationTimestamp', 'time'],
    [['coordination.k8s.io', 'v1', 'Lease'], 'spec.renewTime', 'microTime'],
    [['', 'v1', 'Secret'], 'data', 'map'],
    [pod, 'spec.containers.livenessProbe.httpGet.port', 'intOrString'],
    [pod, 'spec.containers.livenessProbe.periodSeconds', 'int32'],
    [pod, 'spec.activeDeadlineSeconds', 'int64'],
    [pod, 'spec.volumes.emptyDir.sizeLimit', 'quantity'],
    [['certificates.k8s.io', 'v1', 'CertificateSigningRequest'], 'spec.request', 'bytes'],
    [pod, 'metadata.managedFields.fieldsV1', 'any'],
  ] as const)('%j %s is %s', (kind, path, name) => {
    const { type } = fieldAt(kind, path);
    expect(type.type === 'scalar' ? type.scalar : type.type).toBe(name);
  });

  test.each([
    [pod, 'spec.containers', 'map', ['name']],
    [pod, 'spec.containers.ports', 'map', ['containerPort', 'protocol']],
    [pod, 'spec.tolerations', 'atomic', []],
    [pod, 'metadata.finalizers', 'set', []],
    [pod, 'metadata.ownerReferences', 'map', ['uid']],
    [service, 'spec.ports', 'map', ['port', 'protocol']],
    [['batch', 'v1', 'Job'], 'status.conditions', 'atomic', []],
    [['discovery.k8s.io', 'v1', 'EndpointSlice'], 'endpoints.addresses', 'set', []],
  ] as const)('%j %s merges as %s', (kind, path, listType, keys) => {
    expect(fieldAt(kind, path).type).toMatchObject({ type: 'list', listType, keys });
  });

  test('markers of strategic merge', () => {
    expect(fieldAt(pod, 'spec.volumes').patch).toEqual({ merge: true, retainKeys: true, mergeKey: 'name' });
    expect(fieldAt(['batch', 'v1', 'Job'], 'status.conditions').patch).toEqual({
      merge: true,
      retainKeys: false,
      mergeKey: 'type',
    });
    expect(fieldAt(pod, 'metadata.finalizers').patch).toEqual({ merge: true, retainKeys: false });
    expect(fieldAt(pod, 'spec.tolerations').patch).toBeUndefined();
  });

  test('a field may overrule whether its struct is owned as one value', () => {
    expect(structureOf('io.k8s.api.core.v1.ObjectReference')).toMatchObject({ atomic: true });
    expect(fieldAt(['', 'v1', 'PersistentVolume'], 'spec.claimRef').type).toMatchObject({ atomic: false });
    expect(fieldAt(service, 'spec.selector').type).toMatchObject({ type: 'map', atomic: true });
  });

  test('the default of a key is at its field', () => {
    expect(fieldAt(service, 'spec.ports.protocol').default).toBe('TCP');
    expect(fieldAt(service, 'spec.ports.port').default).toBeUndefined();
  });

  test.each([
    [pod, 'spec', 'written'],
    [pod, 'spec.containers.name', 'written'],
    [pod, 'spec.containers.image', 'dropped'],
    [pod, 'spec.containers', 'dropped'],
    [pod, 'spec.priority', 'kept'],
    [pod, 'spec.securityContext', 'kept'],
    [pod, 'metadata.labels', 'dropped'],
    [['', 'v1', 'PersistentVolumeClaim'], 'spec.storageClassName', 'kept'],
    [['', 'v1', 'PersistentVolume'], 'spec.storageClassName', 'dropped'],
    [['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition'], 'status.conditions', 'kept'],
  ] as const)('%j %s is %s when empty', (kind, path, rule) => {
    expect(fieldAt(kind, path).empty).toBe(rule);
  });

  test('the list of fields whose emptiness says something names only optional fields that exist', () => {
    const definitions = Object.keys(definitionsOfVersion2());
    const astray = keptFields().filter(([definition, field]) => {
      const name = definitions.find((each) => each.endsWith(`.${definition}`));
      const type = name ? structureOf(name) : undefined;
      const known = type?.type === 'struct' && type.fields.get(field)?.empty === 'kept';
      return !known || !keepsEmpty(name ?? '', field);
    });
    expect(astray).toEqual([]);
  });
});

describe('discovery', () => {
  test('groups come in their order, preferred version first', () => {
    expect(apiGroups()).toHaveLength(19);
    expect(apiGroups()[0]).toEqual({ name: 'apiregistration.k8s.io', versions: ['v1'], preferredVersion: 'v1' });
    expect(apiGroups().find(({ name }) => name === 'autoscaling')).toEqual({
      name: 'autoscaling',
      versions: ['v2', 'v1', 'v2beta2'],
      preferredVersion: 'v2',
    });
  });

  test('resources have their subresources', () => {
    const pods = builtInResources().find(({ resource }) => resource === 'pods');
    expect(pods).toMatchObject({
      group: '',
      version: 'v1',
      kind: 'Pod',
      namespaced: true,
      shortNames: ['po'],
      categories: ['all'],
    });
    expect(pods?.subresources).toContainEqual({ name: 'status', kind: 'Pod', verbs: ['get', 'patch', 'update'] });
    expect(pods?.subresources).toContainEqual({
      name: 'eviction',
      kind: 'Eviction',
      group: 'policy',
      version: 'v1',
      verbs: ['create'],
    });
  });
});

describe('the other data', () => {
  test('protobuf messages have full type names and belong to definitions', () => {
    const messages = protobufMessages();
    expect(messages.get(protobufNameOf('io.k8s.api.core.v1.Pod'))).toContainEqual({
      name: 'spec',
      number: 2,
      type: 'k8s.io.api.core.v1.PodSpec',
      repeated: false,
    });
    const lacking = builtInResources()
      .map(({ group, version, kind }) => protobufNameOf(definitionOfKind(group, version, kind) ?? ''))
      .filter((name) => !messages.has(name));
    expect(lacking).toEqual([]);
    const scalars = /^(string|bytes|bool|int32|int64|double)$/;
    const unresolved = [...messages.values()].flat().filter(({ type }) => {
      const value = /^map<string,(.+)>$/.exec(type)?.[1] ?? type;
      return !scalars.test(value) && !messages.has(value);
    });
    expect(unresolved).toEqual([]);
  });

  test('operations list what they take and answer', () => {
    expect(apiOperations()['/api/v1/namespaces/{namespace}/pods/{name}']?.['put']).toMatchObject({
      action: 'put',
      gvk: { group: '', version: 'v1', kind: 'Pod' },
      responses: ['200', '201', '401'],
    });
  });

  test('a fresh cluster has its namespaces', () => {
    expect(bootstrapObjects()['/api/v1/namespaces']?.map(({ metadata }) => metadata.name)).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
  });

  test('OpenAPI v2 has no defaults, v3 wraps references that have them', () => {
    const name = 'io.k8s.api.core.v1.ServiceSpec';
    const port = 'io.k8s.api.core.v1.ServicePort';
    expect(definitionsOfVersion2()[name]).toHaveProperty('properties.ports.items', { $ref: `#/definitions/${port}` });
    expect(definitionOfVersion3(name)).toHaveProperty('properties.ports.items', {
      allOf: [{ $ref: `#/components/schemas/${port}` }],
      default: {},
    });
    expect(definitionOfVersion3('io.k8s.apimachinery.pkg.util.intstr.IntOrString')).toHaveProperty('oneOf');
    expect(definitionOfVersion3('constructor')).toBeUndefined();
  });
});
