import { listForms, type ToldList } from '../checks/lists/list-forms.ts';
import { defineRule } from '../rule.ts';
import { removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { nameOf, versionOf } from '../verbs/states.ts';
import { generalKinds, named } from '../verbs/subjects.ts';

/** Kinds whose lists are looked at in every form: of both scopes, of several groups, and of custom types. */
const inAllForms = named('secrets', 'jobs', 'roles', 'clusterroles', 'widgets', 'gadgets');

/** What an object may have beside its name. */
const held = { metadata: { finalizers: ['example.com/one'], annotations: { 'example.com/empty': '', a: 'one' } } };

// List metadata has a resourceVersion, and where they have a meaning a token and the number of remaining items.
export const listFormRule = defineRule('meta.list', {
  sabotage: [
    removeIn('metadata.resourceVersion', { path: /\/secrets$/ }),
    removeIn('metadata.continue', { path: /\/secrets$/ }),
    removeIn('metadata.continue', { header: { accept: /Metadata/ } }),
    removeIn('metadata.remainingItemCount', { header: { accept: /Table/ } }),
    removeIn('metadata.resourceVersion', { query: { pretty: true } }),
    replaceIn('metadata.resourceVersion', { query: { labelSelector: /none/ }, with: '' }),
    replaceIn('rows.*.object.metadata.resourceVersion', { header: { accept: /Table/ } }),
    removeIn('rows.*.object.metadata.finalizers', { header: { accept: /Table/ } }),
    removeIn('items.*.metadata.annotations', { header: { accept: /Metadata/ } }),
  ],
  matrix: { kind: generalKinds, form: listForms },
  where: ({ kind, form }) => form.name === 'JSON' || (inAllForms.includes(kind) && !(kind.custom && form.needs.length)),
  async check({ objects, expect }, { kind, form }) {
    const viewed = objects.viewed(kind.crowded ? 'labels' : 'namespace');
    const made = await objects.createMany(3, form.name === 'JSON' ? {} : held);
    const expectItems = ({ names, versions }: ToldList, items: readonly Json[], what: string): void => {
      expect(names, what).toEqual(items.map(nameOf));
      if (!kind.busy) expect(versions, `the versions of the objects, ${what}`).toEqual(items.map(versionOf));
    };
    const ask = (query: Json) => viewed.getAll({ ...query, ...form.query }, { headers: form.headers });
    const answer = await ask({ limit: 2 });
    if (form.optional && answer.status === 406) return;
    expect(answer.status).toBe(200);
    const first = form.read(answer);
    expectItems(first, made.slice(0, 2), 'of a part');
    expect(first.token, 'of a part').not.toBe('');
    expect(first.remaining, 'of a part').toBe(kind.crowded ? undefined : 1);
    await objects.createMany(1, {}, 'later');
    const last = form.read(await ask({ limit: 2, continue: first.token }));
    expectItems(last, made.slice(2), 'of the last part');
    const { names, versions, metadata } = last;
    const others = { names, versions, ...(metadata && { metadata }) };
    expect(last, 'of the last part').toEqual({ ...first, ...others, token: '', remaining: undefined });
    const whole = form.read(await ask({}));
    expect(whole, 'of the whole').toMatchObject({ token: '', remaining: undefined });
    expect(whole.names, 'of the whole').toHaveLength(4);
    const told = (await viewed.list()).items.map((item: Json) => item.metadata);
    if (whole.metadata && !kind.busy) expect(whole.metadata, 'what is told of the objects').toEqual(told);
    const nothing = form.read(await ask({ labelSelector: 'touchstone/none' }));
    expect(nothing, 'of nothing').toMatchObject({ names: [], token: '', remaining: undefined });
    expect(first.resourceVersion, 'of the state before').not.toBe(whole.resourceVersion);
    for (const { resourceVersion } of [first, whole, nothing]) expect(resourceVersion).toMatch(/./);
  },
});
