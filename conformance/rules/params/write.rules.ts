import { entryOf } from '../../checks/apply/managed-fields.ts';
import { otherWriteForms } from '../../checks/lists/selecting-forms.ts';
import { allWrites, fits, type Write } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { acceptsInvalid } from '../../sabotage/careless.ts';
import { answerStatus, ignoreQuery } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds, type Subject } from '../../verbs/subjects.ts';

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

/** A manager is heeded, and so is that an apply is forced, in whatever form the write is to be answered. */
async function managesInForms(
  context: RuleContext & { readonly objects: Collection },
  kind: Subject,
  write: Write,
  name: string,
): Promise<void> {
  const { objects, expect } = context;
  for (const [index, accept] of otherWriteForms(context, kind, write).entries()) {
    const query = { fieldManager: `in form ${index}` };
    const parts = { objects, object: await objects.read(name), kind, query, headers: { accept }, round: index + 3 };
    expect((await write.send(parts)).status, `to be answered as ${accept}`).toBe(200);
    expect(entryOf(await objects.read(name), query.fieldManager), `to be answered as ${accept}`).toBeDefined();
  }
}

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
      ignoreQuery('fieldManager', { method: 'PUT', header: { accept: /protobuf/ } }),
    ],
    async check(context, { kind, write }) {
      const { objects, expect } = context;
      const object = await objects.create();
      for (const [what, fieldManager] of nameless.includes(kind.name) ? Object.entries(noNames) : []) {
        const refused = await write.send({ objects, object, kind, query: { fieldManager } });
        expect(refused.status, what).toBe(422);
      }
      for (const [what, fieldManager] of nameless.includes(kind.name) ? Object.entries(goodNames) : []) {
        const tried = await write.send({ objects, object, kind, query: { fieldManager, dryRun: 'All' } });
        expect(tried.status, `${what}: ${said(tried)}`).toBeLessThan(300);
        expect(entryOf(tried.body, fieldManager), what).toBeDefined();
      }
      const answer = await write.send({ objects, object, kind, query: { fieldManager: 'somebody' } });
      expect(answer.status, said(answer)).toBeLessThan(300);
      const entry = entryOf(answer.body, 'somebody');
      expect(entry, 'the entry of the manager').toMatchObject({
        operation: write.name.startsWith('apply') ? 'Apply' : 'Update',
      });
      if (write.sub !== 'finalize') expect(entry.subresource ?? '', 'through which').toBe(write.sub);
      // A controller that writes to the same field takes it over.
      if (kind.busy && write.sub === 'status') return;
      expect(entryOf(await objects.read(nameOf(answer.body)), 'somebody'), 'what is stored').toEqual(entry);
      if (nameless.includes(kind.name) && write.verb !== 'create')
        await managesInForms(context, kind, write, nameOf(object));
    },
  }),
];
