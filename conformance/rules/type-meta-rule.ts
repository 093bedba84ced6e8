import { defineRule } from '../rule.ts';
import { answerStatus, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { apiVersionOf } from '../verbs/kinds.ts';
import { said } from '../verbs/said.ts';
import { generalKinds, marking } from '../verbs/subjects.ts';

const reads = { method: 'GET', path: /\/secrets\/[^/]+$/ };

/** What of its type a body leaves out is as its path has it, where that is built in. */
async function takesPathsType(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const whole = await objects.draft();
  const { kind, apiVersion } = whole;
  for (const left of [{ kind: undefined }, { apiVersion: undefined }, { kind: '', apiVersion: '' }]) {
    const answer = await objects.post({ ...whole, ...left }, { dryRun: 'All' });
    expect(answer.status, `without ${Object.keys(left)}: ${said(answer)}`).toBe(201);
    expect(answer.body, `without ${Object.keys(left)}`).toMatchObject({ kind, apiVersion });
  }
}

// `apiVersion` and `kind` are on every object.
export const typeMetaRule = defineRule('meta.type-meta', {
  matrix: { kind: generalKinds },
  sabotage: [
    removeIn('kind', reads),
    removeIn('apiVersion', reads),
    replaceIn('apiVersion', { method: 'PATCH' }),
    answerStatus(201, { method: 'POST', path: /touchstone\.example/, instead: 400 }),
  ],
  async check({ objects, expect }, { kind }) {
    const { metadata } = await objects.create();
    const expected = { kind: objects.at.kind, apiVersion: apiVersionOf(objects.at) };
    expect((await objects.get(metadata.name)).body, 'get').toMatchObject(expected);
    expect(await objects.merge(metadata.name, marking('new')), 'patch').toMatchObject(expected);
    const { items } = await objects.viewed('labels').list();
    for (const item of items) expect([undefined, objects.at.kind], 'in a list').toContain(item.kind);
    if (!kind.custom) return takesPathsType(objects, expect);
    for (const member of ['kind', 'apiVersion'])
      for (const value of [undefined, '', null]) {
        const { status } = await objects.post({ ...objects.sample(), [member]: value });
        expect(status, `${member} ${value === '' ? 'empty' : value} of a custom object`).toBe(400);
      }
  },
});
