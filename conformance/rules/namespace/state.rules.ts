import { finalize, heldWithin, takesNothing } from '../../checks/life/going-namespaces.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, loseWrite, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { unconfined } from '../../verbs/standards.ts';

const reads = { method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+$/ };
const finalizers = ['touchstone.example/hold'];

/** Who holds it like any other object holds it still when its own finalizers are gone. */
async function outlasts({ namespaces, waitUntil, expect }: RuleContext, name: string): Promise<void> {
  const emptied = async () => {
    const { status, body } = await namespaces.get(name);
    if (body?.spec?.finalizers?.length) await namespaces.put({ ...body, spec: {} }, '', { sub: 'finalize' });
    return { status, left: body?.spec?.finalizers ?? [] };
  };
  const { status } = await waitUntil('its own finalizers are gone', emptied, ({ left }) => left.length === 0);
  expect(status, 'while somebody else holds it').toBe(200);
  await namespaces.merge(name, { metadata: { finalizers: null } });
}

/** One that is made anew has nothing to do with the one that is gone. */
async function takesAnew({ namespaces, secrets, waitUntil, expect }: RuleContext, name: string): Promise<void> {
  const { status } = await namespaces.create({ metadata: { name } });
  expect(status.phase, 'of one that is made anew').toBe('Active');
  const within = secrets.in(name);
  const create = async () => (await within.post(within.sample())).status;
  await waitUntil('something is made in the namespace that is made anew', create, (code) => code === 201);
}

export default [
  // A Namespace has a phase and may have conditions.
  defineRule('namespace.state.exist', {
    sabotage: [removeIn('status.phase', reads), loseWrite({ method: 'PATCH', path: /\/status$/ })],
    async check({ namespaces, namespace, expect }) {
      const name = await namespace();
      const conditions = [{ type: 'Judged', status: 'True' }];
      await namespaces.patch(name, { status: { conditions } }, { sub: 'status' });
      const { status } = (await namespaces.get(name)).body;
      expect(status.phase).toBeTypeOf('string');
      expect(status.conditions).toMatchObject(conditions);
    },
  }),

  // A Namespace is first marked, and removed when its finalizers are gone.
  defineRule('namespace.state.deletion', {
    sabotage: [
      removeIn('metadata.deletionTimestamp', reads),
      loseWrite({ method: 'PUT', path: /\/finalize$/ }),
      answerStatus(201, { method: 'POST', path: /\/events$/, instead: 403 }),
      answerStatus(403, { method: 'POST', path: /\/secrets$/, query: { dryRun: false } }),
      replaceIn('status.phase', { ...reads, with: 'Active' }),
      answerStatus(404, { ...reads, from: 2 }),
      ...['token', 'binding', 'bindings', 'eviction'].map((sub) =>
        answerStatus(201, { method: 'POST', path: new RegExp(`/${sub}$`), instead: 403 }),
      ),
      answerStatus(201, { method: ['PUT', 'PATCH'], path: /\/(leases|secrets)\/[^/]+$/, instead: 403 }),
    ],
    async check(context) {
      const { namespaces, expect } = context;
      const { metadata } = await namespaces.create({ metadata: { finalizers }, spec: { finalizers } });
      // The cluster may hold its pods to a standard.
      await namespaces.merge(metadata.name, { metadata: { labels: unconfined } });
      const told = { type: 'Judged', status: 'True' };
      await namespaces.patch(metadata.name, { status: { conditions: [told] } }, { sub: 'status' });
      const { tries, letGo } = await heldWithin(context, metadata.name);
      expect((await namespaces.delete(metadata.name)).status).toBe(200);
      const marked = (await namespaces.get(metadata.name)).body;
      expect(marked.metadata.deletionTimestamp).toBeTypeOf('string');
      expect(marked.status.phase, 'of one that is going').toBe('Terminating');
      expect(marked.status.conditions ?? [], 'of one that is going').toContainEqual(expect.objectContaining(told));
      const back = await namespaces.patch(metadata.name, { status: { phase: 'Active' } }, { sub: 'status' });
      expect(back.status, 'that one that is going stays').toBe(422);
      await takesNothing(context, metadata.name, tries);
      await letGo();
      await outlasts(context, metadata.name);
      await finalize(context, metadata.name);
      await takesAnew(context, metadata.name);
    },
  }),
];
