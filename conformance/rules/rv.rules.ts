import type { Expect } from '../assertions.ts';
import { sendNothings } from '../checks/apply/patches-of-nothing.ts';
import { held } from '../checks/life/going-objects.ts';
import { pass } from '../checks/pods/job-runs.ts';
import { changingWrites, fits } from '../checks/requests/writes.ts';
import { defineRule } from '../rule.ts';
import { replaceIn } from '../sabotage/transforms.ts';
import type { Collection } from '../verbs/collection.ts';
import type { Json } from '../verbs/json.ts';
import { said } from '../verbs/said.ts';
import { nameOf, namesOf, versionOf } from '../verbs/states.ts';
import { changeOf, generalKinds, marking, patientKinds, quietKinds, seen, views } from '../verbs/subjects.ts';

const item = { method: 'GET', path: /\/secrets\/[^/]+$/ };
const lists = { method: 'GET', path: /\/secrets$/ };

/** The items of a list, those that may come from a cache by their places: it shows them in no order. */
function itemsOf({ items }: Json, mayBeCached: boolean): Json[] {
  const placeOf = ({ metadata }: Json): string => `${metadata.namespace ?? ''}/${metadata.name}`;
  return mayBeCached ? items.toSorted((one: Json, other: Json) => (placeOf(one) < placeOf(other) ? -1 : 1)) : items;
}

/** Whichever state was asked for, a list says which it is: exactly at that version there is the same. */
async function isOfItsState(viewed: Collection, expect: Expect, resourceVersion: string): Promise<void> {
  const asked = { resourceVersion };
  for (const choice of [{}, asked, { ...asked, resourceVersionMatch: 'NotOlderThan' }, { resourceVersion: '0' }]) {
    const shown = await viewed.list(choice);
    const then = await viewed.list({ resourceVersion: versionOf(shown), resourceVersionMatch: 'Exact' });
    const [before, after] = [then, shown].map((list) => itemsOf(list, 'resourceVersion' in choice));
    expect(before, `exactly at the version of a list with ${JSON.stringify(choice)}`).toEqual(after);
  }
}

/** What finalizers hold is not changed by another delete. */
async function staysAsItGoes(objects: Collection, expect: Expect): Promise<void> {
  const name = nameOf(await objects.create(held));
  const background = { query: { propagationPolicy: 'Background' } };
  await objects.delete(name, background);
  const marked = await objects.read(name);
  const answer = await objects.delete(name, background);
  expect([200, 202], `another delete: ${said(answer)}`).toContain(answer.status);
  expect(versionOf(await objects.read(name)), 'after another delete').toBe(versionOf(marked));
  await objects.patch(name, { metadata: { finalizers: null } });
}

export default [
  // An object's version changes with each change of it, and only then.
  defineRule('rv.object', {
    matrix: { kind: quietKinds, write: changingWrites },
    where: fits,
    sabotage: [
      replaceIn('metadata.resourceVersion', { ...item, with: '7' }),
      replaceIn('metadata.resourceVersion', { ...item, from: 3 }),
      replaceIn('metadata.resourceVersion', { method: 'PUT', path: /\/status$/ }),
      replaceIn('metadata.resourceVersion', { method: 'GET', path: /\/leases\/[^/]+$/, from: 7 }),
      replaceIn('metadata.resourceVersion', { method: 'PATCH', body: /example\.com\/absent/ }),
    ],
    async check({ objects, expect }, { kind, write }) {
      const object = await objects.create();
      const name = nameOf(object);
      const versionNow = async (): Promise<string> => versionOf(await objects.read(name));
      expect(await versionNow(), 'after the create').toBe(versionOf(object));
      const changed = await write.send({ objects, object, kind });
      expect(changed.status, said(changed)).toBe(200);
      const version = await versionNow();
      expect(version, 'after a change').not.toBe(versionOf(object));
      if (write.shows) expect(versionOf(changed.body), 'what the answer shows').toBe(version);
      const { resourceVersion } = (await objects.create()).metadata;
      expect(await versionNow(), 'when another object has changed').toBe(version);
      // What has not changed since then is as new as that.
      const later = await objects.get(name, { resourceVersion });
      expect([later.status, versionOf(later.body)], 'at the version of another object').toEqual([200, version]);
      // Conditions of a signing request are given the present time.
      if (write.sub !== '' && kind.name === 'certificatesigningrequests') return;
      // When somebody wrote is told to the second.
      if (patientKinds.includes(kind)) await pass(1_100);
      const again = await write.send({ objects, object: await objects.read(name), kind });
      expect(again.status, said(again)).toBe(200);
      expect(await versionNow(), 'when nothing has changed').toBe(version);
      for (const answer of await sendNothings(objects, name, write.name))
        expect(answer.body?.metadata?.resourceVersion, `after a patch of nothing: ${said(answer)}`).toBe(version);
      const [listed] = (await objects.viewed('labels').list({ fieldSelector: `metadata.name=${name}` })).items;
      expect(versionOf(listed), 'as listed').toBe(version);
      if (write.name === 'update' && !kind.lingers) await staysAsItGoes(objects, expect);
    },
  }),

  // A list's version is that of the state it shows.
  defineRule('rv.list', {
    matrix: { kind: generalKinds, view: views },
    where: seen,
    sabotage: replaceIn('metadata.resourceVersion', { ...lists, with: '1' }),
    async check({ objects, expect }, { kind, view }) {
      const viewed = objects.viewed(view);
      const made = (await objects.createMany(2)).map(nameOf);
      const list = await viewed.list();
      await objects.create();
      const query = { resourceVersion: versionOf(list), resourceVersionMatch: 'Exact' };
      const again = await viewed.getAll(query);
      expect(again.status, 'a list at exactly the version of the first').toBe(200);
      expect(namesOf(again.body)).toEqual(made);
      const watch = await viewed.watch({ resourceVersion: versionOf(list) });
      const event = await watch.next('the change after the list', ({ type }) => !kind.busy || type === 'ADDED');
      expect(event.type).toBe('ADDED');
      expect(made).not.toContain(nameOf(event.object));
      await isOfItsState(viewed, expect, versionOf(list));
      const page = await viewed.list({ limit: 1 });
      await objects.merge(made[0] ?? '', marking('later'));
      await objects.merge(made[0] ?? '', changeOf(kind, 2));
      const exact = await viewed.list({ resourceVersion: versionOf(page), resourceVersionMatch: 'Exact', limit: 1 });
      expect(exact.items, 'a page at exactly the version of a page').toEqual(page.items);
    },
  }),
];
