import { entryOf } from '../../checks/apply/managed-fields.ts';
import { appliedStatus, changingWrites, fits } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, forceQuery, loseWrite, requestHeader } from '../../sabotage/transforms.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds, named } from '../../verbs/subjects.ts';

const everyKind = { matrix: { kind: generalKinds } } as const;
const unmanaged = { fieldManager: /^$/ };
const applies = { method: 'PATCH', header: { 'content-type': /apply/ } };

/** What writers are called by how they call themselves. */
const managers = {
  'a tool of mine': 'a tool of mine',
  'tool/': 'tool',
  'a/b/c (d/e)': 'a',
  [`${'x'.repeat(200)}/1`]: 'x'.repeat(128),
};
/** The kinds by which these are tried. */
const agents = named('secrets', 'ingresses', 'widgets');

export default [
  // Who applies must give a `fieldManager`.
  defineRule('apply.field-manager.required', {
    ...everyKind,
    sabotage: [
      forceQuery('fieldManager', 'somebody', applies),
      answerStatus(201, { ...applies, instead: 422 }),
      ...[{ path: /\/status$/ }, { query: { dryRun: true } }].map((match) =>
        forceQuery('fieldManager', 'somebody', { ...applies, ...match }),
      ),
    ],
    async check({ objects, expect }, { kind }) {
      const body = await objects.draft();
      const name = nameOf(body);
      for (const query of ['', 'fieldManager=', 'force=true', 'dryRun=All']) {
        const { status } = await objects.patch(name, body, { type: 'apply', query });
        expect(status, query || 'none').toBeGreaterThanOrEqual(400);
        expect(status, query || 'none').toBeLessThan(500);
      }
      expect((await objects.get(name)).status, 'nothing is stored').toBe(404);
      expect((await objects.tryApply(name, body, 'applier')).status, 'with a manager').toBe(201);
      const { apiVersion, kind: type, metadata } = body;
      const status = { apiVersion, kind: type, metadata: { name: metadata.name }, ...kind.status?.(1) };
      for (const [sub, sent] of [['', body], ...(appliedStatus.fits(kind) ? [['status', status]] : [])]) {
        for (const query of ['', 'dryRun=All']) {
          const again = await objects.patch(name, sent, { type: 'apply', sub, query });
          expect(again.status, `none, of what is there: ${sub}, ${query}`).toBeGreaterThanOrEqual(400);
          expect(again.status, `none, of what is there: ${sub}, ${query}`).toBeLessThan(500);
        }
      }
    },
  }),

  // Other writes may leave `fieldManager` out.
  defineRule('apply.field-manager.optional-elsewhere', {
    matrix: { kind: generalKinds, write: changingWrites.filter(({ name }) => !name.startsWith('apply')) },
    where: fits,
    sabotage: [
      ...['POST', 'PUT', 'PATCH'].map((method) => answerStatus(422, { method, query: unmanaged })),
      answerStatus(422, { method: 'PUT', path: /\/status$/, query: unmanaged }),
      loseWrite({ method: 'PUT', query: unmanaged }),
    ],
    async check({ objects, expect }, { kind, write }) {
      const made = await objects.post(await objects.draft());
      expect(made.status, `create: ${said(made)}`).toBe(201);
      const answer = await write.send({ objects, object: made.body, kind, query: { fieldManager: '' } });
      expect(answer.status, said(answer)).toBeLessThan(300);
      expect(answer.body.metadata.resourceVersion, 'it is stored').not.toBe(made.body.metadata.resourceVersion);
    },
  }),

  // Without `fieldManager` the user agent gives the manager its name.
  defineRule('apply.field-manager.default', {
    ...everyKind,
    sabotage: [
      requestHeader('user-agent', 'other/1', { method: 'POST' }),
      requestHeader('user-agent', 'other/1', { method: 'PUT' }),
      forceQuery('fieldManager', 'other', { method: 'POST', query: { fieldManager: false } }),
    ],
    async check({ objects, expect }, { kind }) {
      const headers = { 'user-agent': 'mytool/v1.2 (linux)' };
      const draft = async () =>
        merged(await objects.draft(), { metadata: { annotations: { 'example.com/a': 'one' } } });
      const { body } = await objects.post(await draft(), '', { headers });
      expect(entryOf(body, 'mytool'), 'create').toMatchObject({
        operation: 'Update',
        apiVersion: apiVersionOf(objects.at),
      });
      const other = { 'user-agent': 'other-tool/v9 (linux)' };
      const changed = { metadata: { annotations: { 'example.com/a': 'two' } } };
      const put = await objects.put(merged(await objects.read(nameOf(body)), changed), '', { headers: other });
      if (put.status !== 409) expect(entryOf(put.body, 'other-tool'), 'update').toMatchObject({ operation: 'Update' });
      for (const [agent, manager] of agents.includes(kind) ? Object.entries(managers) : []) {
        const tried = await objects.post(await draft(), { dryRun: 'All' }, { headers: { 'user-agent': agent } });
        expect(entryOf(tried.body, manager), `the manager of ${agent}`).toBeDefined();
      }
      const named = await objects.post(await draft(), { fieldManager: 'given' }, { headers });
      expect(entryOf(named.body, 'given'), 'a manager that is given').toBeDefined();
      expect(entryOf(named.body, 'mytool'), 'beside it the default').toBeUndefined();
    },
  }),
];
