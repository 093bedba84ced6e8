import { finalize } from '../../checks/life/going-namespaces.ts';
import { defineRule } from '../../rule.ts';
import { forgetVersion } from '../../sabotage/careless.ts';
import { loseWrite, notFound, replaceIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf } from '../../verbs/states.ts';

const reads = { method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+$/ };
const finalizes = { method: 'PUT', path: /\/finalize$/ };
const ours = 'touchstone.example/hold';
const told = { phase: 'Active', conditions: [{ type: 'Judged', status: 'True' }] };

/** Once its spec holds a Namespace no longer, it waits as any object does for whom its metadata names. */
async function heldByMetadata({ namespaces, waitUntil, expect }: RuleContext): Promise<void> {
  const name = nameOf(await namespaces.create({ metadata: { finalizers: [ours] } }));
  await namespaces.delete(name);
  const empty = async () => {
    const { body } = await namespaces.get(name);
    return namespaces.put({ ...body, spec: { finalizers: [] } }, '', { sub: 'finalize' });
  };
  await waitUntil('its spec is emptied', empty, ({ status }) => status !== 409);
  for (const look of [1, 2]) expect((await namespaces.get(name)).status, `look ${look}, held by metadata`).toBe(200);
  await namespaces.merge(name, { metadata: { finalizers: null } });
  const status = async () => (await namespaces.get(name)).status;
  await waitUntil('a namespace that nobody holds is gone', status, (code) => code === 404);
}

export default [
  // `spec.finalizers` is a list of words nobody reads meaning into.
  defineRule('namespace.spec.finalizers', {
    sabotage: [
      replaceIn('spec.finalizers', { ...reads, with: ours }),
      replaceIn('spec.finalizers', { ...reads, with: ['kubernetes'] }),
      replaceIn('spec.finalizers', { ...reads, with: [ours] }),
      loseWrite({ ...finalizes, body: /example\/other/ }),
      forgetVersion({ ...finalizes, body: /"1"/ }),
    ],
    async check({ namespaces, expect }) {
      const { metadata } = await namespaces.create({ spec: { finalizers: [ours] } });
      const { finalizers } = (await namespaces.get(metadata.name)).body.spec;
      expect(finalizers).toBeInstanceOf(Array);
      expect(finalizers).toContain(ours);
      // The one of who empties it is there from the beginning, asked for or not.
      for (const asked of [undefined, [], [ours], ['kubernetes']]) {
        const made = await namespaces.create(asked ? { spec: { finalizers: asked } } : {});
        const stored = (await namespaces.get(made.metadata.name)).body.spec?.finalizers ?? [];
        expect(stored, `where ${JSON.stringify(asked)} was asked for`).toEqual(
          expect.arrayContaining(['kubernetes', ...(asked ?? [])]),
        );
      }
      expect((await namespaces.post(namespaces.sample({ spec: { finalizers: ours } }))).status, 'no list').toBe(400);
      const read = async () => (await namespaces.read(metadata.name)).spec.finalizers ?? [];
      const write = (sub: string, list: readonly string[]) =>
        namespaces.put(
          {
            ...namespaces.sample({ metadata: { name: metadata.name, labels: metadata.labels } }),
            ...{ spec: { finalizers: list }, status: sub === 'finalize' ? told : undefined },
          },
          '',
          {
            sub,
          },
        );
      for (const sub of ['', 'status']) {
        await write(sub, []);
        await namespaces.patch(metadata.name, { spec: { finalizers: ['touchstone.example/other'] } }, { sub });
        expect(await read(), `written by ${sub ? `/${sub}` : 'the main path'}`).toEqual(finalizers);
      }
      const stale = { ...namespaces.sample(), metadata: { name: metadata.name, resourceVersion: '1' } };
      const late = await namespaces.put({ ...stale, spec: { finalizers: [] } }, '', { sub: 'finalize' });
      expect(late.status, 'by /finalize, at a version that is over').toBe(409);
      const other = { ...namespaces.sample(), metadata: { name: metadata.name, uid: 'another' } };
      const wrong = await namespaces.put({ ...other, spec: { finalizers: [] } }, '', { sub: 'finalize' });
      expect(wrong.status, 'by /finalize, of another namespace').toBe(409);
      expect((await write('finalize', ['plain'])).status, 'a word without a domain, by /finalize').toBe(422);
      for (const list of [['touchstone.example/other'], []]) {
        expect((await write('finalize', list)).status, 'by /finalize').toBe(200);
        expect(await read(), 'by /finalize').toEqual(list);
      }
      const { conditions = [] } = (await namespaces.read(metadata.name)).status;
      expect(conditions, 'a status by /finalize').not.toContainEqual(expect.objectContaining({ type: 'Judged' }));
    },
  }),

  // A Namespace goes for good only when that list is empty.
  defineRule('namespace.spec.finalizers.empty', {
    sabotage: [notFound({ ...reads, from: 3 }), loseWrite(finalizes)],
    async check(context) {
      const { namespaces, expect } = context;
      const { metadata } = await namespaces.create({ spec: { finalizers: [ours] } });
      // A second delete is none the more.
      for (const _ of [1, 2]) await namespaces.delete(metadata.name);
      // A controller may take its own finalizer away, as we do here; ours holds the namespace.
      const held = { ...namespaces.sample({ metadata: { name: metadata.name } }), spec: { finalizers: [ours] } };
      expect((await namespaces.put(held, '', { sub: 'finalize' })).status, 'by /finalize').toBe(200);
      for (const look of [1, 2, 3])
        expect((await namespaces.get(metadata.name)).status, `look ${look} while a finalizer is left`).toBe(200);
      await finalize(context, metadata.name);
      await heldByMetadata(context);
    },
  }),
];
