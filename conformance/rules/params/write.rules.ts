import { entryOf } from '../../checks/apply/managed-fields.ts';
import { allWrites, fits } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { acceptsInvalid } from '../../sabotage/careless.ts';
import { answerStatus, ignoreQuery } from '../../sabotage/transforms.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds } from '../../verbs/subjects.ts';

/** What no manager may be called. */
const noNames = { 'a name that rings a bell': 'some\u0007body', 'a name of 129 bytes': `${'x'.repeat(127)}ä` };
/** What one may be called. */
const goodNames = {
  'a name of several words': 'some body (of 2)',
  // With a plus for the blank, and nothing in it that has to be written otherwise.
  'a name of two words': 'some body',
  'a name in other letters': 'Änni 語 ✓',
  'a name of 128 bytes': `${'x'.repeat(126)}ä`,
};
/** One kind of each sort is enough for these. */
const nameless = ['secrets', 'ingresses', 'widgets'];

export default [
  // Create, update and patch take `fieldManager` and record it as the manager of the fields.
  defineRule('params.write.field-manager', {
    matrix: { kind: generalKinds, write: allWrites.filter(({ shows }) => shows) },
    // A signing request's status has no managers.
    where: ({ kind, write }) =>
      fits({ kind, write }) && !(kind.name === 'certificatesigningrequests' && write.sub === 'status'),
    sabotage: [
      ...['POST', 'PUT', 'PATCH'].map((method) => ignoreQuery('fieldManager', { method })),
      ignoreQuery('fieldManager', { path: /\/status$/ }),
      acceptsInvalid({ method: 'PATCH', query: { fieldManager: /^some.body$/s } }),
      answerStatus(422, { method: 'PUT', query: { fieldManager: /語/ } }),
    ],
    async check({ objects, expect }, { kind, write }) {
      const object = await objects.create();
      for (const [what, fieldManager] of nameless.includes(kind.name) ? Object.entries(noNames) : []) {
        const refused = await write.send({ objects, object, kind, query: { fieldManager } });
        expect(refused.status, what).toBe(422);
      }
      for (const [what, fieldManager] of nameless.includes(kind.name) ? Object.entries(goodNames) : []) {
        const tried = await write.send({ objects, object, kind, query: { fieldManager, dryRun: 'All' } });
        expect(tried.status, tried.body?.message ?? what).toBeLessThan(300);
        expect(entryOf(tried.body, fieldManager), what).toBeDefined();
      }
      const { status, body } = await write.send({ objects, object, kind, query: { fieldManager: 'somebody' } });
      expect(status, body?.message).toBeLessThan(300);
      const entry = entryOf(body, 'somebody');
      expect(entry, 'the entry of the manager').toMatchObject({
        operation: write.name.startsWith('apply') ? 'Apply' : 'Update',
      });
      if (write.sub !== 'finalize') expect(entry.subresource ?? '', 'through which').toBe(write.sub);
      // A controller that writes to the same field takes it over.
      if (kind.busy && write.sub === 'status') return;
      expect(entryOf(await objects.read(nameOf(body)), 'somebody'), 'what is stored').toEqual(entry);
    },
  }),
];
