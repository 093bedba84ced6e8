import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, memberOf } from '../../base/json-value.ts';
import type { Json, KubeObject, ManagedFieldsEntry } from '../../base/kube-object.ts';
import { carryOut } from '../../base/turns/work.ts';
import type { Structure } from '../../schema/structure.ts';
import { mergePatch } from '../merge-patch.ts';
import { ApplyConflictError, PatchError } from '../patch-error.ts';
import { type FieldPathElements, fromFieldsV1, hasPath, pathsOf } from './field-set.ts';
import { Story } from './story.fixture.ts';
import { content, kind, settle, structure } from './thing.fixture.ts';
import { trackUpdate } from './track-update.ts';
import { fieldsAt, systemMetadata } from './tracked-write.ts';
import { listElement, memberStructure } from './typed-value.ts';

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
        const entries = await carryOut(trackUpdate({ ...write, ...(existing && { live }), next }));
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

/** The same fields with other values: names of parts stay, and so do elements of sets. */
const otherValues = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value))
    return ['set', 'tags'].includes(name) ? value : value.map((each) => otherValues(each, name));
  if (typeof value !== 'object' || value === null) return name !== 'name' && value === '1' ? '2' : value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, otherValues(each, key)]));
};

type Entries = readonly ManagedFieldsEntry[];

describe('one who writes alone, and writes the same fields again', () => {
  const somebody = {
    ...{ manager: 'somebody', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' },
    fieldsV1: { 'f:gone': {} },
  } as const;
  const step = fc.record({
    given: fc.option(content, { freq: 1 }),
    manager: fc.constantFrom('alpha', 'alpha', 'beta'),
    meanwhile: fc.constantFrom('nothing', 'nothing', 'less is owned', 'more is there'),
  });

  const thing = (given: object, managedFields: Entries, resourceVersion: string) =>
    ({ metadata: { name: 'x', resourceVersion, managedFields }, ...given }) as unknown as KubeObject;
  const narrowed = (entry: ManagedFieldsEntry): ManagedFieldsEntry => ({ ...entry, fieldsV1: { 'f:text': {} } });

  test('owns what it would own if the objects were compared', async () => {
    let again = 0;
    await fc.assert(
      fc.asyncProperty(content, fc.array(step, { minLength: 1, maxLength: 4 }), async (first, steps) => {
        // Looks of objects are remembered for one set of ignored fields.
        const untracked = fieldsAt(['apiVersion'], ['kind'], ...systemMetadata.map((each) => ['metadata', each]));
        const write = { structure, apiVersion: 'v1', subresource: '', untracked };
        const track = async (manager: string, now: number, next: KubeObject, live?: KubeObject) =>
          carryOut(trackUpdate({ ...write, manager, now, next, live }));
        let stored: object = { text: '1', ...first };
        let entries = await track('alpha', 0, thing(stored, [], ''));
        for (const [index, { given, manager, meanwhile }] of steps.entries()) {
          const wanted = settle(given ? { text: '1', ...given } : (otherValues(stored) as object));
          if (meanwhile === 'less is owned') entries = entries.map(narrowed);
          if (meanwhile === 'more is there') stored = mergePatch(stored as Json, { map: { more: '2' } }) as object;
          const live = (beside: Entries) => thing(stored, [...entries, ...beside], String(index));
          const next = thing(wanted, [], String(index + 1));
          delete next.metadata.managedFields;
          const alone = await track(manager, (index + 1) * 1000, next, live([]));
          const compared = await track(manager, (index + 1) * 1000, next, live([somebody]));
          expect(alone).toEqual(compared.filter((entry) => entry.manager !== 'somebody'));
          if (alone[0]?.fieldsV1 === entries[0]?.fieldsV1 && alone[0] !== entries[0]) again++;
          [stored, entries] = [wanted, alone];
        }
      }),
      { numRuns: 1000 },
    );
    expect(again, 'how often nothing but values changed').toBeGreaterThan(100);
  });

  test('changes nothing, its time included, where all is the same', async () => {
    const given = settle({ text: '1', map: { a: '1' } });
    const write = { structure, manager: 'alpha', apiVersion: 'v1', subresource: '' };
    const entries = await carryOut(trackUpdate({ ...write, now: 0, next: thing(given, [], '') }));
    const live = thing(given, entries, '1');
    const next = thing(structuredClone(given), entries, '2');
    expect(await carryOut(trackUpdate({ ...write, now: 1000, live, next }))).toBe(entries);
  });
});
