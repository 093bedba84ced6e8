import { describe, expect, it } from 'vitest';
import type { FieldError } from '../base/field-error.ts';
import type { WriteContext } from '../kinds/strategy.ts';
import { customResourceDefinition as kind } from './definition.ts';
import { cleanupFinalizer, type Definition, type DefinitionVersion, type JsonSchema } from './json-schema.ts';

const context = { clock: { now: () => 0 } } as unknown as WriteContext;
const group = 'shop.example.com';

const version = (name: string, more: Partial<DefinitionVersion> = {}): DefinitionVersion => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});
const stored = (more: Partial<DefinitionVersion> = {}) => version('v1', { storage: true, ...more });

function definition(change: (object: Definition) => void = () => {}): Definition {
  const object: Definition = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: `ducks.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural: 'ducks', kind: 'Duck' }, versions: [stored()] },
  };
  change(object);
  return object;
}

function created(change?: (object: Definition) => void): { object: Definition; errors: FieldError[] } {
  const object = definition(change);
  kind.default?.(object);
  kind.prepareCreate?.(object, context);
  kind.default?.(object);
  return {
    object,
    errors: [...(kind.validate?.(object, context) ?? []), ...(kind.validateCreate?.(object, context) ?? [])],
  };
}

const told = (errors: readonly FieldError[]) =>
  [...new Set(errors.map(({ reason, field }) => `${reason} ${field}`))].sort();
const problems = (change: (object: Definition) => void) => told(created(change).errors);
const at = 'spec.validation.openAPIV3Schema';
const ofSchema = (schema: JsonSchema, more: Partial<DefinitionVersion> = {}) =>
  problems(({ spec }) => {
    spec.versions = [stored({ schema: { openAPIV3Schema: schema }, ...more })];
  }).map((text) => text.replace(at, '~'));

describe('a definition that is created', () => {
  it('gets the names that follow from its kind, no conversion, and its stored version', () => {
    const { object, errors } = created();
    expect(errors).toEqual([]);
    expect(object.spec.names).toEqual({ plural: 'ducks', kind: 'Duck', singular: 'duck', listKind: 'DuckList' });
    expect(object.spec.conversion).toEqual({ strategy: 'None' });
    expect(object.status).toEqual({ acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] });
  });

  it('loses a status that was sent, and defaults that are null', () => {
    const { object } = created((sent) => {
      sent.status = { storedVersions: ['v9'] };
      const schema: JsonSchema = {
        type: 'object',
        properties: { a: { type: 'array', items: { type: 'string', default: null } } },
      };
      sent.spec.versions = [stored({ schema: { openAPIV3Schema: schema } })];
    });
    expect(object.status?.storedVersions).toEqual(['v1']);
    expect(JSON.stringify(object.spec.versions)).not.toContain('default');
  });

  it('is refused without a body to speak of', () => {
    const object = {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      metadata: {},
    } as unknown as Definition;
    kind.default?.(object);
    kind.prepareCreate?.(object, context);
    expect(told(kind.validate?.(object, context) ?? [])).toContain('FieldValueRequired spec.group');
  });
});

describe('names, group and scope', () => {
  it.each<[string, (object: Definition) => void, string[]]>([
    [
      'another name',
      (o) => {
        o.metadata.name = 'x';
      },
      ['FieldValueInvalid metadata.name'],
    ],
    [
      'no group',
      (o) => {
        o.spec.group = '';
        o.metadata.name = 'ducks.';
      },
      ['FieldValueRequired spec.group'],
    ],
    [
      'a group without a dot',
      (o) => {
        o.spec.group = 'x';
        o.metadata.name = 'ducks.x';
      },
      ['FieldValueInvalid spec.group'],
    ],
    [
      'an unknown scope',
      (o) => {
        o.spec.scope = 'Galaxy';
      },
      ['FieldValueNotSupported spec.scope'],
    ],
    [
      'kind and listKind alike',
      (o) => {
        o.spec.names.listKind = 'Duck';
      },
      ['FieldValueInvalid spec.names.listKind'],
    ],
    [
      'a kind in capitals with a dash',
      (o) => {
        o.spec.names.kind = 'Wild-Duck';
      },
      [],
    ],
    [
      'bad short names',
      (o) => {
        o.spec.names.shortNames = ['ok', 'No_'];
      },
      ['FieldValueInvalid spec.names.shortNames[1]'],
    ],
    [
      'a protected group',
      (o) => {
        o.spec.group = 'x.k8s.io';
        o.metadata.name = 'ducks.x.k8s.io';
      },
      ['FieldValueRequired metadata.annotations[api-approved.kubernetes.io]'],
    ],
    [
      'a protected group with a bad approval',
      (o) => {
        o.spec.group = 'kubernetes.io';
        o.metadata = { name: 'ducks.kubernetes.io', annotations: { 'api-approved.kubernetes.io': 'yes' } };
      },
      ['FieldValueInvalid metadata.annotations[api-approved.kubernetes.io]'],
    ],
    [
      'preserveUnknownFields',
      (o) => {
        o.spec.preserveUnknownFields = true;
      },
      ['FieldValueInvalid spec.preserveUnknownFields'],
    ],
  ])('%s', (_, change, expected) => {
    expect(problems(change)).toEqual(expected);
  });
});

describe('versions', () => {
  const of = (versions: DefinitionVersion[]) =>
    problems((o) => {
      o.spec.versions = versions;
    });
  it.each<[string, DefinitionVersion[], string[]]>([
    ['none', [], ['FieldValueInvalid spec.versions', 'FieldValueInvalid status.storedVersions']],
    ['none stored', [version('v1')], ['FieldValueInvalid spec.versions', 'FieldValueInvalid status.storedVersions']],
    [
      'two stored',
      [stored(), version('v2', { storage: true })],
      ['FieldValueInvalid spec.versions', 'FieldValueInvalid status.storedVersions'],
    ],
    ['a name twice', [stored(), version('v1')], ['FieldValueInvalid spec.versions']],
    ['none served', [stored({ served: false })], []],
    [
      'no schema',
      [{ name: 'v1', served: true, storage: true }],
      ['FieldValueRequired spec.versions[0].schema.openAPIV3Schema'],
    ],
    [
      'schemas that differ are told apart',
      [stored(), version('v2', { schema: { openAPIV3Schema: {} } })],
      ['FieldValueRequired spec.versions[1].schema.openAPIV3Schema.type'],
    ],
    [
      'a warning without deprecation',
      [stored({ deprecationWarning: 'x' })],
      ['FieldValueInvalid spec.versions[0].deprecationWarning'],
    ],
    [
      'a scale without paths',
      [stored({ subresources: { scale: {} } })],
      [
        'FieldValueRequired spec.subresources.scale.specReplicasPath',
        'FieldValueRequired spec.subresources.scale.statusReplicasPath',
      ],
    ],
    [
      'columns',
      [
        stored({
          additionalPrinterColumns: [
            { name: 'A', type: 'text', jsonPath: '.a' },
            { type: 'string', jsonPath: 'a' },
          ],
        }),
      ],
      [
        'FieldValueInvalid spec.additionalPrinterColumns[0].type',
        'FieldValueInvalid spec.additionalPrinterColumns[1].JSONPath',
        'FieldValueRequired spec.additionalPrinterColumns[1].name',
      ],
    ],
  ])('%s', (_, versions, expected) => {
    expect(of(versions)).toEqual(expected);
  });
});

describe('conversion', () => {
  const of = (conversion: Definition['spec']['conversion']) =>
    problems((o) => {
      o.spec.conversion = conversion;
    });
  const webhook = (clientConfig: object, conversionReviewVersions = ['v1']) => ({
    strategy: 'Webhook',
    webhook: { clientConfig, conversionReviewVersions },
  });
  it.each<[string, Definition['spec']['conversion'], string[]]>([
    ['unknown', { strategy: 'Magic' }, ['FieldValueNotSupported spec.conversion.strategy']],
    [
      'a webhook without anything',
      { strategy: 'Webhook' },
      [
        'FieldValueRequired spec.conversion.conversionReviewVersions',
        'FieldValueRequired spec.conversion.webhookClientConfig',
      ],
    ],
    ['a webhook at a URL', webhook({ url: 'https://x.example.com/convert' }), []],
    ['http', webhook({ url: 'http://x.example.com' }), ['FieldValueInvalid spec.conversion.webhookClientConfig.url']],
    [
      'both a URL and a service',
      webhook({ url: 'https://x', service: { name: 'a', namespace: 'b' } }),
      ['FieldValueRequired spec.conversion.webhookClientConfig'],
    ],
    [
      'a service without a name',
      webhook({ service: { namespace: 'b' } }),
      ['FieldValueRequired spec.conversion.webhookClientConfig.service.name'],
    ],
    [
      'no known review version',
      webhook({ url: 'https://x' }, ['v7']),
      ['FieldValueInvalid spec.conversion.conversionReviewVersions'],
    ],
    [
      'a client without the strategy',
      { ...webhook({ url: 'https://x' }), strategy: 'None' },
      [
        'FieldValueForbidden spec.conversion.conversionReviewVersions',
        'FieldValueForbidden spec.conversion.webhookClientConfig',
      ],
    ],
  ])('%s', (_, conversion, expected) => {
    expect(of(conversion)).toEqual(expected);
  });
});

describe('schemas', () => {
  const o = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
    type: 'object',
    properties,
    ...more,
  });
  const a = (schema: JsonSchema) => ofSchema(o({ a: schema }));
  const p = '~.properties[a]';

  it.each<[JsonSchema, string[]]>([
    [{ type: 'string' }, ['FieldValueInvalid ~.type']],
    [{ type: 'object', nullable: true }, ['FieldValueForbidden ~.nullable']],
    [{ type: 'object', additionalProperties: { type: 'string' } }, ['FieldValueForbidden ~.additionalProperties']],
    [
      o({ metadata: { type: 'object', properties: { labels: { type: 'object' } } } }),
      ['FieldValueForbidden ~.properties[metadata]'],
    ],
    [o({ kind: { type: 'integer' } }), ['FieldValueInvalid ~.properties[kind].type']],
    [o({}, { anyOf: [{ properties: { metadata: {} } }] }), ['FieldValueForbidden ~.anyOf[0].properties[metadata]']],
  ])('the root %j', (schema, expected) => {
    expect(ofSchema(schema)).toEqual(expected);
  });

  it('the root may not judge the whole object when the status is written apart', () => {
    expect(ofSchema(o({}, { anyOf: [{ required: ['x'] }] }), { subresources: { status: {} } })).toEqual([
      'FieldValueInvalid ~',
    ]);
  });

  it.each<[JsonSchema, string[]]>([
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
    [
      {
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'x' }],
      },
      [],
    ],
    [
      { type: 'string', not: { type: 'string', nullable: true } },
      [`FieldValueForbidden ${p}.not.nullable`, `FieldValueForbidden ${p}.not.type`],
    ],
    [
      { type: 'object', allOf: [{ properties: { b: { default: 1 } } }] },
      [`FieldValueForbidden ${p}.allOf[0].properties[b].default`],
    ],
    [{ type: 'string', pattern: '(?=x)' }, [`FieldValueInvalid ${p}.pattern`]],
    [{ type: 'null' }, [`FieldValueForbidden ${p}.type`]],
    [
      { type: 'object', default: { b: 1 }, properties: { b: { type: 'string' } } },
      [`FieldValueTypeInvalid ${p}.default.b`],
    ],
    [{ type: 'array', items: { type: 'integer' }, default: [1, 'x'] }, [`FieldValueTypeInvalid ${p}.default[1]`]],
    [
      { type: 'object', default: {}, required: ['b'], properties: { b: { type: 'string', default: 'x' } } },
      [`FieldValueRequired ${p}.default.b`],
    ],
    [{ type: 'object', default: { c: 1 }, properties: { b: { type: 'string' } } }, [`FieldValueInvalid ${p}.default`]],
    [{ type: 'object', default: { c: 1 }, 'x-kubernetes-preserve-unknown-fields': true }, []],
    [
      { type: 'array', default: ['a', 'a'], 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      [`FieldValueDuplicate ${p}.default[1]`],
    ],
    [
      { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', nullable: true } },
      [`FieldValueForbidden ${p}.items.nullable`],
    ],
    [
      {
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'string' },
      },
      [`FieldValueInvalid ${p}.x-kubernetes-list-type`],
    ],
    [{ $ref: '#/x' }, [`FieldValueForbidden ${p}.$ref`]],
    [{ type: 'array', items: [{ type: 'string' }] }, [`FieldValueForbidden ${p}.items`]],
  ])('a property %j', (schema, expected) => {
    expect(a(schema)).toEqual(expected);
  });

  it('is not nested without end', () => {
    let schema: JsonSchema = { type: 'string' };
    for (let i = 0; i < 3000; i++) schema = { type: 'array', items: schema };
    expect(a(schema)).toEqual(['FieldValueInvalid ~']);
  });
});

describe('a definition that is changed', () => {
  const changed = (change: (object: Definition) => void, establish = true) => {
    const { object: previous } = created();
    if (establish) previous.status = { ...previous.status, conditions: [{ type: 'Established', status: 'True' }] };
    const next = structuredClone(previous);
    change(next);
    kind.default?.(next);
    kind.prepareUpdate?.(next, previous, context);
    const errors = [
      ...(kind.validate?.(next, context) ?? []),
      ...(kind.validateUpdate?.(next, previous, context) ?? []),
    ];
    return { next, previous, errors: told(errors) };
  };

  it.each<[string, (object: Definition) => void]>([
    [
      'spec.scope',
      (o) => {
        o.spec.scope = 'Cluster';
      },
    ],
    [
      'spec.group',
      (o) => {
        o.spec.group = 'other.example.com';
      },
    ],
    [
      'spec.names.plural',
      (o) => {
        o.spec.names.plural = 'geese';
      },
    ],
    [
      'spec.names.kind',
      (o) => {
        o.spec.names.kind = 'Goose';
      },
    ],
  ])('keeps %s', (field, change) => {
    expect(changed(change).errors).toEqual([`FieldValueInvalid ${field}`]);
  });

  it('may get another scope or kind before it is established', () => {
    expect(
      changed((o) => {
        o.spec.scope = 'Cluster';
      }, false).errors,
    ).toEqual([]);
  });

  it('remembers versions that objects may be stored in', () => {
    const { next, errors } = changed((o) => {
      o.spec.versions = [version('v1'), version('v2', { storage: true })];
    });
    expect(errors).toEqual([]);
    expect(next.status?.storedVersions).toEqual(['v1', 'v2']);
  });

  it('cannot lose a version that objects may be stored in', () => {
    const { errors } = changed((o) => {
      o.spec.versions = [version('v2', { storage: true })];
    });
    expect(errors).toEqual(['FieldValueInvalid status.storedVersions[0]']);
  });

  it('counts its generation by the spec alone', () => {
    const { next, previous } = changed((o) => {
      o.spec.names.shortNames = ['d'];
    });
    expect(kind.generationRises?.(next, previous)).toBe(true);
    expect(kind.generationRises?.({ ...previous, metadata: { labels: { a: 'b' } } }, previous)).toBe(false);
  });

  it('a write to its status changes nothing else', () => {
    const { previous } = changed(() => {});
    const next = structuredClone(previous);
    next.spec.scope = 'Cluster';
    next.metadata.labels = { a: 'b' };
    next.status = { storedVersions: [] };
    kind.default?.(next);
    kind.subresources?.['status']?.prepareUpdate(next, previous, context);
    expect(next.spec.scope).toBe('Namespaced');
    expect(next.metadata.labels).toBeUndefined();
    expect(next.status.storedVersions).toEqual(['v1']);
  });

  it('is held by its objects when it is deleted', () => {
    const { object } = created();
    expect(kind.isHeld?.(object)).toBe(true);
    kind.markDeleted?.(object, context);
    object.metadata.deletionTimestamp = '2020-01-01T00:00:00Z';
    expect(object.metadata.finalizers).toEqual([cleanupFinalizer]);
    expect(object.status?.conditions?.[0]).toMatchObject({ type: 'Terminating', status: 'True' });
    expect(kind.isHeld?.(object)).toBe(true);
    object.metadata.finalizers = [];
    expect(kind.isHeld?.(object)).toBe(false);
  });
});
