import { defineRule } from '../rule.ts';
import { answerStatus, removeIn, replaceIn } from '../sabotage/transforms.ts';
import { apiVersionOf } from '../verbs/kinds.ts';
import { generalKinds, marking } from '../verbs/subjects.ts';

const reads = { method: 'GET', path: /\/secrets\/[^/]+$/ };

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
    // A body that names neither is taken for what its path is about, where that is built in.
    if (!kind.custom) return;
    for (const member of ['kind', 'apiVersion'])
      for (const value of [undefined, '', null]) {
        const { status } = await objects.post({ ...objects.sample(), [member]: value });
        expect(status, `${member} ${value === '' ? 'empty' : value} of a custom object`).toBe(400);
      }
  },
});
