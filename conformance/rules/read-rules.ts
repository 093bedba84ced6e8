import { olderPath, watchesOne } from '../checks/lists/older-watches.ts';
import { heldFrom } from '../holds-for.ts';
import { defineRule, type Rule } from '../rule.ts';
import { answerStatus, changeEvent, ignoreQuery, notFound, redirectPath, replaceIn } from '../sabotage/transforms.ts';
import { nameOf, namesOf } from '../verbs/states.ts';
import { changeOf, generalKinds, seen, views } from '../verbs/subjects.ts';
import type { WatchEvent } from '../verbs/watch.ts';
import { readsByPattern, readsInSmallLetters } from './write-sabotages.ts';

const item = /\/secrets\/[^/]+$/;
const collection = /\/secrets$/;

/** Another name, which a store that looks for patterns takes for this one. */
const almost = (name: string): string => name.replace(/[-.]/, '_');

/** What is read by a GET. */
export const readRules: readonly Rule[] = [
  // A GET of an object's path reads it.
  defineRule('verbs.get', {
    matrix: { kind: generalKinds },
    sabotage: [
      notFound({ method: 'GET', path: item }),
      replaceIn('data', { with: {}, method: 'GET', path: item }),
      readsInSmallLetters,
      readsByPattern,
    ],
    async check({ objects, expect }, { kind }) {
      const { metadata } = await objects.create();
      const changed = await objects.merge(metadata.name, changeOf(kind, 1));
      const answer = await objects.get(metadata.name);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ kind: objects.at.kind, metadata: { uid: metadata.uid } });
      expect(answer.body, 'what was stored last').toMatchObject(changeOf(kind, 1));
      if (!kind.busy) expect(answer.body).toEqual(changed);
      for (const name of ['touchstone-missing', metadata.name.toUpperCase(), almost(metadata.name)])
        expect((await objects.get(name)).status, `${name}, which is not there`).toBe(404);
    },
  }),

  // A GET of a collection's path lists it.
  defineRule('verbs.list', {
    matrix: { kind: generalKinds, view: views },
    where: seen,
    sabotage: [
      replaceIn('items', { method: 'GET', path: collection }),
      replaceIn('items.*.metadata.uid', { method: 'GET', path: /\/priorityclasses$/ }),
    ],
    async check({ objects, expect }, { kind, view }) {
      const made = await objects.createMany(3);
      const answer = await objects.viewed(view).getAll();
      expect(answer.status).toBe(200);
      expect(namesOf(answer.body)).toEqual(made.map(nameOf));
      const bare = made.map(({ kind: _, apiVersion: __, ...object }) => object);
      if (!kind.busy)
        expect(answer.body.items.map(({ kind: _, apiVersion: __, ...one }: (typeof made)[0]) => one)).toEqual(bare);
    },
  }),

  // A GET of a collection with `watch` in the query opens a stream of changes.
  defineRule('verbs.watch', {
    matrix: { kind: generalKinds, view: views },
    where: seen,
    sabotage: [
      ignoreQuery('watch'),
      answerStatus(400, { query: { watch: '1' } }),
      changeEvent('tells nothing', () => [], { path: /^\/apis\/.*\/watch\/namespaces\// }),
      changeEvent('tells nothing', () => [], { path: /\/watch\/namespaces\/[^/]+$/ }),
      redirectPath(/(\/watch\/.*\/secrets)\/[^/]+$/, '$1'),
    ],
    async check(context, { kind, view }) {
      const { objects, watch, version, expect } = context;
      const byQuery = await objects.viewed(view).watch();
      expect(byQuery.status).toBe(200);
      const older = view === 'namespace' ? await watch(olderPath(await objects.path()), { watch: '0' }) : undefined;
      const object = await objects.create();
      const { metadata } = object;
      const event = await byQuery.next('the event of the new object');
      const added = { type: 'ADDED', object: { metadata: { name: metadata.name } } };
      expect(event).toMatchObject(added);
      const isNew = ({ object }: WatchEvent): boolean => object.metadata?.name === metadata.name;
      if (older) expect(await older.next('the event by the older path', isNew)).toMatchObject(added);
      // Later servers tell nothing so of one namespace.
      const isTold = kind.name !== 'namespaces' || heldFrom({ to: 26 }, version) === undefined;
      if (isTold && view === (kind.crowded ? 'labels' : 'namespace')) await watchesOne(context, objects, object);
    },
  }),
];
