import { finalize } from '../../checks/life/going-namespaces.ts';
import { defineRule } from '../../rule.ts';
import { forgetVersion } from '../../sabotage/careless.ts';
import { loseWrite, notFound, replaceIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';

const reads = { method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+$/ };
const finalizes = { method: 'PUT', path: /\/finalize$/ };
const ours = 'touchstone.example/hold';
const other = 'touchstone.example/other';
const told = { phase: 'Active', conditions: [{ type: 'Judged', status: 'True' }] };

/** The finalizer of who empties a namespace is there from the beginning, asked for or not. */
async function heldFromTheBeginning({ namespaces, expect }: RuleContext): Promise<void> {
  for (const asked of [undefined, [], [ours], ['kubernetes']]) {
    const made = await namespaces.create(asked ? { spec: { finalizers: asked } } : {});
    const stored = (await namespaces.get(made.metadata.name)).body.spec?.finalizers ?? [];
    expect(stored, `where ${JSON.stringify(asked)} was asked for`).toEqual(
      expect.arrayContaining(['kubernetes', ...(asked ?? [])]),
    );
  }
}

const finalizersOf = async ({ namespaces }: RuleContext, name: string): Promise<readonly string[]> =>
  (await namespaces.read(name)).spec.finalizers ?? [];

const putFinalizers = (
  { namespaces }: RuleContext,
  { name, labels }: Json,
  finalizers: readonly string[],
  sub: string,
) =>
  namespaces.put(
    {
      ...namespaces.sample({ metadata: { name, labels } }),
      ...{ spec: { finalizers }, status: sub === 'finalize' ? told : undefined },
    },
    '',
    { sub },
  );

async function keptByOtherPaths(context: RuleContext, metadata: Json, finalizers: Json): Promise<void> {
  const { namespaces, expect } = context;
  for (const sub of ['', 'status']) {
    await putFinalizers(context, metadata, [], sub);
    await namespaces.patch(metadata.name, { spec: { finalizers: [other] } }, { sub });
    const where = `written by ${sub ? `/${sub}` : 'the main path'}`;
    expect(await finalizersOf(context, metadata.name), where).toEqual(finalizers);
  }
}

/** Who says which version or which namespace he means is refused where it is another. */
async function refusedElsewhere({ namespaces, expect }: RuleContext, { name }: Json): Promise<void> {
  const put = (metadata: Json) =>
    namespaces.put({ ...namespaces.sample(), metadata, spec: { finalizers: [] } }, '', { sub: 'finalize' });
  const late = await put({ name, resourceVersion: '1' });
  expect(late.status, 'by /finalize, at a version that is over').toBe(409);
  const wrong = await put({ name, uid: 'another' });
  expect(wrong.status, 'by /finalize, of another namespace').toBe(409);
}

/** The path of its own writes any words that have a domain, and nothing else. */
async function finalized(context: RuleContext, metadata: Json): Promise<void> {
  const { namespaces, expect } = context;
  const finalize = (list: readonly string[]) => putFinalizers(context, metadata, list, 'finalize');
  for (const list of [['plain'], [ours, 'plain'], [ours, 'not good/']])
    expect((await finalize(list)).status, `${list.join(' and ')}, by /finalize`).toBe(422);
  for (const list of [[other], []]) {
    expect((await finalize(list)).status, 'by /finalize').toBe(200);
    expect(await finalizersOf(context, metadata.name), 'by /finalize').toEqual(list);
  }
  const { conditions = [] } = (await namespaces.read(metadata.name)).status;
  expect(conditions, 'a status by /finalize').not.toContainEqual(expect.objectContaining({ type: 'Judged' }));
}

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
    async check(context) {
      const { namespaces, expect } = context;
      const { metadata } = await namespaces.create({ spec: { finalizers: [ours] } });
      const { finalizers } = (await namespaces.get(metadata.name)).body.spec;
      expect(finalizers).toBeInstanceOf(Array);
      expect(finalizers).toContain(ours);
      await heldFromTheBeginning(context);
      expect((await namespaces.post(namespaces.sample({ spec: { finalizers: ours } }))).status, 'no list').toBe(400);
      await keptByOtherPaths(context, metadata, finalizers);
      await refusedElsewhere(context, metadata);
      await finalized(context, metadata);
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
