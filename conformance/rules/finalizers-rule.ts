import { defineRule } from '../rule.ts';
import { answerStatus, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { said } from '../verbs/said.ts';
import { generalKinds } from '../verbs/subjects.ts';

const reads = { method: 'GET', path: /\/secrets\/[^/]+$/ };

/** Objects of custom types are held by whatever text, which need be of no domain. */
async function heldByAnyName(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  for (const finalizers of [['plain'], ['plain', 'example.com/one', 'with-dash_and.dot']]) {
    const made = await objects.post(await objects.draft({ metadata: { finalizers } }));
    expect(made.status, `${finalizers}, of a new one: ${said(made)}`).toBe(201);
    const { name } = made.body.metadata;
    expect((await objects.read(name)).metadata.finalizers, 'of a new one').toEqual(finalizers);
    for (const list of [[], finalizers, []])
      expect((await objects.merge(name, { metadata: { finalizers: list } })).metadata.finalizers ?? []).toEqual(list);
  }
}

/** `metadata.finalizers` is a list of texts. */
export const finalizersRule = defineRule('meta.finalizers', {
  sabotage: [
    removeIn('metadata.finalizers', reads),
    replaceIn('metadata.finalizers', { ...reads, with: 'example.com/one' }),
    answerStatus(422, { method: 'PATCH', path: /\/leases\/[^/]+$/, body: /"orphan"/ }),
    answerStatus(422, { path: /touchstone\.example/, body: /"plain"/ }),
  ],
  matrix: { kind: generalKinds },
  async check({ objects, expect }, { kind }) {
    const finalizers = ['example.com/one', 'example.com/two'];
    const { metadata } = await objects.create({ metadata: { finalizers } });
    const stored = (await objects.get(metadata.name)).body.metadata.finalizers;
    // Admission may add its own to some kinds.
    expect(stored, 'a list').toBeInstanceOf(Array);
    expect(stored.filter((one: string) => one.startsWith('example.com/'))).toEqual(finalizers);
    expect(
      (await objects.post(await objects.draft({ metadata: { finalizers: 'example.com/one' } }))).status,
      'no list',
    ).toBe(400);
    const changed = await objects.merge(metadata.name, { metadata: { finalizers: ['example.com/two'] } });
    expect(changed.metadata.finalizers, 'as changed').toEqual(['example.com/two']);
    // The only ones without a domain, which are the server's own.
    for (const standard of ['orphan', 'foregroundDeletion', 'kubernetes'])
      for (const list of [[standard], []]) {
        const answer = await objects.patch(metadata.name, { metadata: { finalizers: list } });
        expect(answer.status, `${standard}: ${said(answer)}`).toBe(200);
        const left = (answer.body.metadata.finalizers ?? []).filter((one: string) => !one.includes('/'));
        expect(left, standard).toEqual(list);
      }
    if (kind.custom) await heldByAnyName(objects, expect);
  },
});
