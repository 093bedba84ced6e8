import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, memberOf } from '../../base/json-value.ts';
import type { Json, KubeObject } from '../../base/kube-object.ts';
import type { Field, ListType, StructType, Structure } from '../../schema/structure.ts';
import { ApplyConflictError, PatchError } from '../patch-error.ts';
import { compare } from './compare.ts';
import { type FieldPathElements, fromFieldsV1, hasPath, isEmptySet, pathsOf, toFieldsV1 } from './field-set.ts';
import { firstFields } from './first-fields.ts';
import { builtIn, Story, type StoryKind } from './story.fixture.ts';
import { trackUpdate } from './track-update.ts';
import { fieldsAt } from './tracked-write.ts';
import { isDeclaredField, listElement, memberStructure } from './typed-value.ts';

const text: Structure = { type: 'scalar', scalar: 'string' };
const struct = (fields: Record<string, Structure>, atomic = false): StructType => ({
  type: 'struct',
  name: '',
  fields: new Map(Object.entries(fields).map(([name, type]): [string, Field] => [name, { type }])),
  required: [],
  atomic,
  preserveUnknown: false,
  embedded: false,
});
const list = (items: Structure, listType: ListType['listType'] = 'atomic', ...keys: string[]): ListType => ({
  type: 'list',
  items,
  listType,
  keys,
});
const map = (values: Structure, atomic = false): Structure => ({ type: 'map', values, atomic });
const part = struct({ name: text, value: text, tags: list(text, 'set') });
const structure = struct({
  apiVersion: text,
  kind: text,
  metadata: struct({ name: text, uid: text, labels: map(text) }),
  text,
  map: map(text),
  whole: map(text, true),
  list: list(text),
  set: list(text, 'set'),
  parts: list(part, 'map', 'name'),
  nested: struct({ text, map: map(struct({ text, other: text })) }),
});
/** As built-in kinds do: nobody owns an empty keyed list, so there is none; null is no field, or an entry with nothing. */
const settled = (value: Json, type: Structure): Json => {
  if (Array.isArray(value)) return value.map((each) => settled(each, type.type === 'list' ? type.items : type));
  if (!isJsonObject(value)) return value ?? {};
  const kept = Object.entries(value).filter(([name, each]) =>
    Array.isArray(each) ? each.length > 0 || name === 'list' : each !== null || !isDeclaredField(type, name),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, settled(each, memberStructure(type, name))]));
};
const settle = (object: object) => settled(object as Json, structure) as { [key: string]: Json };
const kind: StoryKind = { apiVersion: 'v1', kind: 'Thing', structure, settle };

const word = fc.constantFrom('1', '2');
const key = fc.constantFrom('a', 'b', '__proto__');
const optional = <T extends object>(record: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(record, { requiredKeys: [] });
const entries = <T>(values: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(key, values), { maxLength: 3 }).map((pairs) => {
    const made: Record<string, T> = {};
    for (const [name, value] of pairs)
      Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
    return made;
  });
/** What is emptied by an apply is null then, so nobody can say of an empty map that it will be there. */
const isEmptyMap = (value: unknown) => isJsonObject(value as Json) && Object.keys(value as object).length === 0;
const withoutEmptyMaps = (value: unknown): unknown => {
  if (Array.isArray(value) || !isJsonObject(value as Json)) return value;
  const kept = Object.entries(value as object).map(([name, each]) => [name, withoutEmptyMaps(each)] as const);
  return Object.fromEntries(kept.filter(([, each]) => !isEmptyMap(each)));
};
const content = optional({
  text: word,
  map: entries(word),
  whole: entries(word),
  list: fc.array(word, { maxLength: 2 }),
  set: fc.uniqueArray(word),
  parts: fc.uniqueArray(
    fc.record({ name: fc.constantFrom('p', 'q'), value: word, tags: fc.uniqueArray(word) }, { requiredKeys: ['name'] }),
    { selector: ({ name }) => name },
  ),
  nested: optional({ text: word, map: entries(optional({ text: word, other: word })) }),
}).map((value) => withoutEmptyMaps(value) as object);

const manager = fc.constantFrom('alpha', 'beta', 'gamma');
const write = fc.record({ manager, content, sort: fc.constantFrom('apply', 'force', 'replace', 'patch') });

async function tell(story: Story, { manager, content, sort }: { manager: string; content: object; sort: string }) {
  if (sort === 'replace') return story.replace(manager, content);
  if (sort === 'patch' && story.live) return story.patch(manager, content);
  try {
    await story.apply(manager, content, { force: sort === 'force' });
  } catch (error) {
    if (!(error instanceof ApplyConflictError)) throw error;
  }
}

/** What stands at a path, undefined when nothing does. */
function find(value: Json | undefined, path: FieldPathElements, type: Structure): Json | undefined {
  const [element, ...rest] = path;
  if (element === undefined || value === undefined) return value;
  if (element.startsWith('f:')) {
    const name = element.slice(2);
    return isJsonObject(value) ? find(memberOf(value, name), rest, memberStructure(type, name)) : undefined;
  }
  if (type.type !== 'list' || !Array.isArray(value)) return undefined;
  const item = value.find((each) => listElement(type, each) === element);
  return find(item, rest, type.items);
}

const ownedBy = (story: Story) =>
  story.entries.map((entry) => ({
    owner: `${entry.manager} ${entry.operation}`,
    fields: fromFieldsV1(entry.fieldsV1 ?? {}) ?? { owned: false, below: new Map() },
  }));

describe('whatever was written before', () => {
  test('applying the same twice changes nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 4 }), content, async (writes, config) => {
        const story = new Story(kind);
        for (const each of writes) await tell(story, each);
        await story.apply('alpha', config, { force: true });
        const { live } = story;
        await story.apply('alpha', config);
        expect(story.live).toEqual(live);
      }),
    );
  });

  test('what was applied is there, and owned', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 4 }), content, async (writes, config) => {
        const story = new Story(kind);
        for (const each of writes) await tell(story, each);
        await story.apply('alpha', config, { force: true });
        const mine = ownedBy(story).find(({ owner }) => owner === 'alpha Apply');
        for (const path of mine ? pathsOf(mine.fields) : []) {
          expect(find(story.live as unknown as Json, path, structure)).toBeDefined();
          expect(find(config as Json, path, structure)).toBeDefined();
        }
      }),
    );
  });

  test('an apply takes nothing away that another manager owns, and an update only what it removes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 7 }), async (writes) => {
        const story = new Story(kind);
        for (const each of writes) {
          const before = story.live as unknown as Json | undefined;
          const owned = before === undefined ? [] : ownedBy(story);
          await tell(story, each);
          if (each.sort !== 'apply' && each.sort !== 'force') continue;
          const others = owned.filter(({ owner }) => owner !== `${each.manager} Apply`);
          for (const { fields } of others) {
            for (const path of pathsOf(fields)) {
              const had = find(before, path, structure);
              // A map that is emptied is none any more, whoever holds it.
              if (had === undefined || isJsonObject(had) || insideOfNobodys(path, others)) continue;
              expect(find(story.live as unknown as Json, path, structure), path.join(' ')).toBeDefined();
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('no manager owns nothing, and no apply leaves two managers with different wishes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 6 }), async (writes) => {
        const story = new Story(kind);
        for (const each of writes) await tell(story, each);
        for (const { fieldsV1 } of story.entries) expect(Object.keys(fieldsV1 ?? {})).not.toEqual([]);
        expect(new Set(story.entries.map(({ manager, operation }) => `${manager} ${operation}`)).size).toBe(
          story.entries.length,
        );
      }),
    );
  });
});

/** It stands in a list element or map entry that is itself nobody else's: with its owner the element may go. */
const insideOfNobodys = (path: FieldPathElements, others: readonly { fields: Parameters<typeof hasPath>[0] }[]) =>
  path.some((_, end) => {
    const above = path.slice(0, end);
    const entry = above.at(-1)?.startsWith('k:') || (above.length === 3 && above[1] === 'f:map');
    return entry && !others.some(({ fields }) => hasPath(fields, above));
  });

describe('from the beginning', () => {
  test('what one manager applies is what is read', async () => {
    await fc.assert(
      fc.asyncProperty(content, async (config) => {
        const story = new Story(kind);
        await story.apply('alpha', config);
        const { apiVersion, kind: _kind, metadata, ...rest } = story.content;
        expect(rest).toEqual(settle(config));
      }),
    );
  });

  test('conflicts are symmetric', async () => {
    const conflicts = async (first: object, second: object) => {
      const story = new Story(kind);
      await story.apply('alpha', first);
      try {
        await story.apply('beta', second);
        return [];
      } catch (error) {
        if (!(error instanceof ApplyConflictError)) throw error;
        return error.conflicts.map(({ field }) => field).sort();
      }
    };
    await fc.assert(
      fc.asyncProperty(content, content, async (first, second) => {
        expect(await conflicts(first, second)).toEqual(await conflicts(second, first));
      }),
      { numRuns: 300 },
    );
  });

  test('managers without conflicts may apply in any order', async () => {
    await fc.assert(
      fc.asyncProperty(content, content, async (first, second) => {
        const one = new Story(kind);
        const other = new Story(kind);
        try {
          await one.apply('alpha', first);
          await one.apply('beta', second);
        } catch (error) {
          if (error instanceof ApplyConflictError) return;
          throw error;
        }
        await other.apply('beta', second);
        await other.apply('alpha', first);
        expect(other.owners).toEqual(one.owners);
      }),
    );
  });
});

describe('bad input', () => {
  test('only a PatchError is thrown, whatever is applied', async () => {
    const name = fc.constantFrom(
      'apiVersion',
      'metadata',
      'map',
      'set',
      'parts',
      'nested',
      'name',
      'value',
      '__proto__',
    );
    const { json } = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<Json>('v1', 1, null, true),
        fc.array(tie('json'), { maxLength: 3 }) as fc.Arbitrary<Json>,
        fc.dictionary(name, tie('json'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
      ),
    }));
    await fc.assert(
      fc.asyncProperty(content, fc.dictionary(name, json), async (first, config) => {
        const story = new Story(kind);
        await story.apply('alpha', first);
        try {
          await story.apply('beta', { ...config, apiVersion: 'v1' });
        } catch (error) {
          expect(error).toBeInstanceOf(PatchError);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('whatever is sent as entries is taken or ignored', async () => {
    const sent = fc.oneof(
      fc.jsonValue(),
      fc.array(
        fc.record(
          {
            manager: fc.jsonValue(),
            operation: fc.constantFrom<Json>('Apply', 'Update', 1),
            apiVersion: fc.constantFrom<Json>('v1', {}, null),
            fieldsType: fc.constantFrom<Json>('FieldsV1', []),
            time: fc.oneof(fc.constant<Json>({ toString: 1 }), fc.string()),
            fieldsV1: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(sent, fc.boolean(), async (managedFields, existing) => {
        const next = {
          apiVersion: 'v1',
          kind: 'Thing',
          metadata: { managedFields },
          text: '2',
        } as unknown as KubeObject;
        const live = { apiVersion: 'v1', kind: 'Thing', metadata: {}, text: '1' };
        const write = { structure, manager: 'x', apiVersion: 'v1', subresource: '', now: 0 };
        const entries = await trackUpdate({ ...write, ...(existing && { live }), next });
        expect(Array.isArray(entries)).toBe(true);
      }),
    );
  });

  test('an object with any entries at all can be written to', async () => {
    const entry = fc.record(
      {
        manager: fc.constantFrom('alpha', '', 'x'),
        operation: fc.constantFrom('Apply', 'Update'),
        apiVersion: fc.constantFrom('v1', 'v0'),
        fieldsType: fc.constant('FieldsV1'),
        fieldsV1: fc.constantFrom<Json>(
          {},
          { '.': {} },
          { 'f:text': {}, 'f:map': { 'f:a': { 'f:b': {} } } },
          { 'f:parts': { 'k:{}': {}, 'k:{"name":"p"}': { 'f:nosuch': {} }, 'v:1': {}, 'i:0': {} } },
          { 'k:{"name":null}': { 'f:__proto__': {} } },
        ),
      },
      { requiredKeys: ['operation', 'apiVersion', 'fieldsType'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 3 }),
        content,
        fc.array(write, { maxLength: 3 }),
        async (managedFields, first, writes) => {
          const story = new Story(kind);
          await story.replace('poster', { ...first, metadata: { managedFields: managedFields as Json } });
          for (const each of writes) await tell(story, each);
        },
      ),
    );
  });
});

describe('the fields of a new object', () => {
  const ignored = fieldsAt(['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'uid']);
  const asCompared = (object: JsonObject) => toFieldsV1(compare({ metadata: {} }, object, structure, ignored).added);
  const asWritten = (object: JsonObject) => firstFields(object, structure, ignored);

  test('are those that a comparison with nothing finds, in the same order', () => {
    fc.assert(
      fc.property(content, (given) => {
        const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' }, ...given } as unknown as JsonObject;
        expect(JSON.stringify(asWritten(object))).toBe(JSON.stringify(asCompared(object)));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    [
      'Deployment',
      'apps/v1',
      { spec: { replicas: 1, template: { spec: { containers: [{ name: 'c', ports: [] }] } } } },
    ],
    ['Service', 'v1', { spec: { ports: [{ port: 80, protocol: 'TCP' }], selector: {} } }],
    ['Node', 'v1', { spec: {}, status: { nodeInfo: {} } }],
    ['ConfigMap', 'v1', { data: { a: 'b' }, binaryData: {} }],
    [
      'Job',
      'batch/v1',
      { spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } } } },
    ],
  ] as const)('are the same for a %s', (name, apiVersion, fields) => {
    const { structure: real, settle: settled } = builtIn(apiVersion, name);
    const metadata = { name: 'x', labels: { a: 'b' } };
    const object = settled({ apiVersion, kind: name, metadata, ...fields } as unknown as JsonObject);
    const own = firstFields(object, real, ignored);
    const compared = compare({ metadata: {} }, object, real, ignored);
    if (own === undefined) expect(isEmptySet(compared.modified) && isEmptySet(compared.added)).toBe(false);
    else expect(JSON.stringify(own)).toBe(JSON.stringify(toFieldsV1(compared.added)));
  });
});
