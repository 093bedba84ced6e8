import { describe, expect, it } from 'vitest';
import type { FieldError } from '../../base/field-error.ts';
import { allOf } from '../../kinds/faults.fixture.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { cleanupFinalizer, type Definition, type DefinitionVersion } from '../definition-shape.ts';
import { context, created, problems, stored, told, version } from './definition.fixture.ts';
import { customResourceDefinition as kind } from './definition.ts';

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

  it.each(['allOf', 'anyOf', 'enum', 'oneOf', 'x-kubernetes-list-map-keys', 'definitions', 'patternProperties'])(
    'says something by an empty %s at the root beside a status, and nothing anywhere else',
    (keyword) => {
      const empty = { [keyword]: /definitions|Prop/.test(keyword) ? {} : [] };
      const schema = { type: 'object', properties: { a: { type: 'string', ...empty } } } as JsonSchema;
      const withStatus = (root: object) => (sent: Definition) => {
        sent.spec.versions = [
          stored({ schema: { openAPIV3Schema: { ...schema, ...root } }, subresources: { status: {} } }),
        ];
      };
      const { object, errors } = created(withStatus({}));
      expect(errors).toEqual([]);
      const kept = kind.kept?.(object) as Definition;
      expect(JSON.stringify(kept.spec)).not.toContain(keyword);
      expect(told(created(withStatus(empty)).errors)).toEqual(['FieldValueInvalid spec.validation.openAPIV3Schema']);
    },
  );

  it('loses a webhook and a list of elements of which nothing is said', () => {
    const { object } = created((sent) => {
      sent.spec.conversion = { strategy: 'None', webhook: {} };
      sent.spec.versions = [stored({ schema: { openAPIV3Schema: { type: 'object', items: [] } as JsonSchema } })];
    });
    expect(object.spec.conversion).toEqual({ strategy: 'None' });
    expect(object.spec.versions[0]?.schema?.openAPIV3Schema).toEqual({ type: 'object' });
  });

  it('can be given no other name, not even the beginning of one', () => {
    const { errors } = created((sent) => {
      sent.metadata.generateName = 'ducks';
    });
    expect(told(errors)).toEqual(['FieldValueInvalid metadata.generateName']);
  });

  it('is refused without a body to speak of', () => {
    const object = {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      metadata: {},
    } as unknown as Definition;
    kind.default?.(object);
    kind.prepareCreate?.(object, context);
    expect(told(allOf(kind.validate?.(object, context)))).toContain('FieldValueRequired spec.group');
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
      'a warning with a blank that is not printed',
      [stored({ deprecated: true, deprecationWarning: 'move\u00a0on' })],
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

describe('a definition that is changed', () => {
  const changed = (change: (object: Definition) => void, establish = true) => {
    const { object: previous } = created();
    if (establish) previous.status = { ...previous.status, conditions: [{ type: 'Established', status: 'True' }] };
    const next = structuredClone(previous);
    change(next);
    kind.default?.(next);
    kind.prepareUpdate?.(next, previous, context);
    const errors = [...allOf(kind.validate?.(next, context)), ...allOf(kind.validateUpdate?.(next, previous, context))];
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
    kind.subresources?.['status']?.prepareUpdate?.(next, previous, context);
    expect(next.spec.scope).toBe('Namespaced');
    expect(next.metadata.labels).toBeUndefined();
    expect(next.status.storedVersions).toEqual(['v1']);
  });

  it('its status says no names that none could have', () => {
    const { previous } = changed(() => {});
    const names = { plural: 'a b', singular: 'B', kind: 'K', listKind: 'K', shortNames: ['ok', ''] };
    const next = { ...previous, status: { ...previous.status, acceptedNames: names } };
    const told = kind.subresources?.['status']?.validateUpdate?.(next, previous, context) as FieldError[];
    expect(told.map(({ reason, field }) => `${reason} ${field}`)).toEqual([
      'FieldValueInvalid status.acceptedNames.plural',
      'FieldValueInvalid status.acceptedNames.singular',
      'FieldValueInvalid status.acceptedNames.shortNames[1]',
      'FieldValueInvalid status.acceptedNames.listKind',
    ]);
    expect(kind.subresources?.['status']?.validateUpdate?.(previous, previous, context)).toEqual([]);
  });

  it('is held by its objects when it is deleted', () => {
    const { object } = created();
    expect(kind.isHeld?.(object)).toBe(true);
    kind.beginDeletion?.(object, undefined, context);
    object.metadata.deletionTimestamp = '2020-01-01T00:00:00Z';
    expect(object.metadata.finalizers).toEqual([cleanupFinalizer]);
    expect(object.status?.conditions?.[0]).toMatchObject({ type: 'Terminating', status: 'True' });
    expect(kind.isHeld?.(object)).toBe(true);
    object.metadata.finalizers = [];
    expect(kind.isHeld?.(object)).toBe(false);
  });
});
