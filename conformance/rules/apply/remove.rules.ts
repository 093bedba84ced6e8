import type { Expect } from '../../assertions.ts';
import { stepsTo } from '../../checks/apply/managed-fields.ts';
import { removesAcrossVersions } from '../../checks/apply/owned-versions.ts';
import { appliedStatus } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { loseWrite, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, ownConditions } from '../../verbs/states.ts';
import { changeOf, generalKinds, marking, named, type Subject } from '../../verbs/subjects.ts';

const reads = { method: 'GET', path: /\/(secrets|jobs)\/[^/]+$/ };
const words = { 'example.com/a': 'one', b: 'two' };
/** What is applied for the first time while something else is left out. */
const more = { metadata: { annotations: { 'example.com/more': 'three' } } };

/** Kinds whose change is a field that may be missing. */
const optional = named(
  'secrets',
  'configmaps',
  'serviceaccounts',
  'deployments',
  'leases',
  'ingresses',
  'ingressclasses',
  'events',
  'priorityclasses',
);

/** A field of the spec, what is applied of it, and what it is by default. */
const defaulted: Readonly<Record<string, readonly [string, Json, Json]>> = {
  jobs: ['backoffLimit', 2, 6],
  deployments: ['revisionHistoryLimit', 3, 10],
  widgets: ['colour', 'blue', 'red'],
  gadgets: ['colour', 'blue', 'red'],
};

/** The conditions of a Job are one value, to which a controller adds that it is suspended, and to this one nothing. */
const undisturbed = ({ name }: Subject): Json => (name === 'jobs' ? { spec: { suspend: false, parallelism: 0 } } : {});

/** A status is applied by its own way, and what is left out of it goes as well. */
async function removesStatus(objects: Collection, expect: Expect, kind: Subject): Promise<void> {
  const object = await objects.create(undisturbed(kind));
  const given = kind.status?.(1) ?? {};
  const first = await appliedStatus.send({ objects, object, kind });
  expect(first.status, said(first)).toBe(200);
  expect(ownConditions(first.body), 'as applied').toMatchObject(given);
  const none = { ...kind, status: () => ({}) };
  const second = await appliedStatus.send({ objects, object, kind: none });
  expect(second.status, said(second)).toBe(200);
  expect(ownConditions(await objects.read(nameOf(object))), 'what is no longer applied').not.toMatchObject(given);
}

/** What two have applied of a status goes when neither of them applies it any more. */
async function keepsStatusOfOthers(objects: Collection, expect: Expect, kind: Subject): Promise<void> {
  const object = await objects.create(undisturbed(kind));
  const given = kind.status?.(1) ?? {};
  const none = { ...kind, status: () => ({}) };
  const apply = async (fieldManager: string, what: Subject) => {
    const answer = await appliedStatus.send({ objects, object, kind: what, query: { fieldManager } });
    expect(answer.status, said(answer)).toBe(200);
    return ownConditions(answer.body);
  };
  await apply('first', kind);
  expect(await apply('second', kind), 'a status of two').toMatchObject(given);
  expect(await apply('first', none), 'a status that another one applies').toMatchObject(given);
  await apply('second', none);
  expect(ownConditions(await objects.read(nameOf(object))), 'what nobody applies').not.toMatchObject(given);
}

/** What one applies at first, by the part that it is of. */
const applied = {
  labels: { metadata: { labels: words } },
  annotations: { metadata: { annotations: words } },
  finalizers: { metadata: { finalizers: ['example.com/one', 'example.com/two'] } },
};
/** What of it one applies later. */
const appliedLater = {
  labels: { metadata: { labels: { b: 'two' } } },
  annotations: { metadata: { annotations: { b: 'two' } } },
  finalizers: { metadata: { finalizers: ['example.com/two'] } },
};

export default [
  // What its only manager no longer applies is removed.
  defineRule('apply.remove.sole-owner', {
    matrix: { kind: generalKinds, part: ['labels', 'annotations', 'finalizers', 'content', 'status'] },
    where: ({ kind, part }) =>
      (part !== 'content' || optional.includes(kind)) && (part !== 'status' || appliedStatus.fits(kind)),
    sabotage: [
      loseWrite({ method: 'PATCH', body: /^(?!.*example\.com\/a).*"b":"two"/s }),
      replaceIn('data', { ...reads, with: { round: 'aaaa' } }),
      replaceIn('metadata.annotations', { method: 'GET', path: /\/clusterroles\/[^/]+$/, with: words }),
      loseWrite({ method: 'PATCH', path: /\/status$/, nth: 2 }),
      replaceIn('metadata.labels', { method: 'GET', path: /\/leases\/[^/]+$/, nth: 1, with: words }),
    ],
    async check({ objects, expect }, { kind, part }) {
      if (part === 'status') return removesStatus(objects, expect, kind);
      const body = await objects.draft();
      const name = nameOf(body);
      const given = { ...applied, content: changeOf(kind, 1) }[part];
      const kept = { ...appliedLater, content: {} }[part];
      const first = await objects.apply(name, merged(body, given), 'applier');
      if (part === 'finalizers') expect(first.metadata.finalizers, 'as applied').toContain('example.com/one');
      else expect(first, 'as applied').toMatchObject(given);
      await objects.apply(name, merged(body, part === 'content' ? kept : merged(kept, more)), 'applier');
      const stored = await objects.read(name);
      if (part === 'content') {
        const wanted = stepsTo(given).map((step) => step.slice(2));
        const left = wanted.reduce((value, step) => value?.[step], stored);
        const before = wanted.reduce((value, step) => value?.[step], body);
        expect(left, wanted.join('.')).toEqual(before);
        return;
      }
      if (part === 'finalizers') {
        expect(stored.metadata.finalizers, 'what is still applied').toContain('example.com/two');
        expect(stored.metadata.finalizers, 'what is no longer applied').not.toContain('example.com/one');
      } else {
        expect(stored, 'what is still applied').toMatchObject(kept);
        expect(stored.metadata[part]?.['example.com/a'], 'what is no longer applied').toBeUndefined();
      }
      await objects.apply(name, body, 'applier');
      const last = (await objects.read(name)).metadata;
      expect(last[part]?.b, 'the last of them').toBeUndefined();
      if (part === 'finalizers') expect(last.finalizers ?? []).not.toContain('example.com/two');
    },
  }),

  // What somebody else manages stays, though no longer applied.
  defineRule('apply.remove.other-owner', {
    matrix: { kind: generalKinds, other: ['apply', 'update'] },
    sabotage: [
      removeIn('metadata.annotations', reads),
      removeIn('metadata.labels.b', { method: 'GET', path: /\/roles\/[^/]+$/ }),
      loseWrite({ method: 'PATCH', query: { fieldManager: 'second' }, path: /\/secrets\//, from: 2 }),
      loseWrite({ method: 'PATCH', query: { fieldManager: 'second' }, path: /\/status$/ }),
    ],
    async check(context, { kind, other }) {
      const { objects, expect } = context;
      if (other === 'apply' && kind.name === 'widgets') await removesAcrossVersions(context);
      if (other === 'apply' && appliedStatus.fits(kind)) await keepsStatusOfOthers(objects, expect, kind);
      const body = await objects.draft();
      const name = nameOf(body);
      const both = { metadata: { annotations: words, labels: { b: 'two' } } };
      const shared = { metadata: { annotations: { b: 'two' }, labels: { b: 'two' } } };
      if (other === 'update') await objects.post(merged(body, shared), { fieldManager: 'second' });
      await objects.apply(name, merged(body, both), 'first', { force: 'true' });
      if (other === 'apply') await objects.apply(name, shared, 'second');
      const less = { metadata: { annotations: { 'example.com/a': 'one' } } };
      await objects.apply(name, merged(body, less), 'first', { force: 'true' });
      const { annotations, labels } = (await objects.read(name)).metadata;
      expect(annotations).toMatchObject(words);
      expect(labels).toMatchObject({ b: 'two' });
      if (other === 'update') return;
      await objects.merge(name, marking('beside'));
      await objects.apply(name, {}, 'second');
      const left = (await objects.read(name)).metadata;
      expect(left.annotations, 'when nobody applies it any more').not.toHaveProperty('b');
      expect(left.labels ?? {}, 'when nobody applies it any more').not.toHaveProperty('b');
      expect(left.annotations['example.com/a'], 'what the first still applies').toBe('one');
    },
  }),

  // What has a default goes back to it when no longer applied.
  defineRule('apply.remove.default', {
    matrix: { kind: named(...Object.keys(defaulted)) },
    sabotage: [
      removeIn('spec.backoffLimit', reads),
      replaceIn('spec.backoffLimit', { ...reads, with: 2 }),
      removeIn('spec.colour', { method: 'GET', path: /touchstone\.example/ }),
    ],
    async check({ objects, expect }, { kind }) {
      const [field, applied, otherwise] = defaulted[kind.name] ?? [''];
      const body = await objects.draft();
      const { [field]: _, ...spec } = body.spec;
      const given = await objects.apply(nameOf(body), { ...body, spec: { ...spec, [field]: applied } }, 'applier');
      expect(given.spec[field], 'as applied').toBe(applied);
      await objects.apply(nameOf(body), { ...body, spec }, 'applier');
      expect((await objects.read(nameOf(body))).spec[field], 'no longer applied').toBe(otherwise);
    },
  }),
];
