import { defineRule } from '../rule.ts';
import { answerStatus, requestHeader } from '../sabotage/transforms.ts';
import { nameOf, stateOf } from '../verbs/states.ts';
import { generalKinds, type Subject } from '../verbs/subjects.ts';

const scale = ['deployments', 'widgets', 'gadgets'];

/** Parts of an object that have an address of their own. */
const partsOf = ({ name, status }: Subject): readonly string[] => [
  ...(status ? ['status'] : []),
  ...(scale.includes(name) ? ['scale'] : []),
];

export default [
  // Asking for a media type that is not on offer is answered 406.
  defineRule('content.not-acceptable', {
    matrix: { kind: generalKinds },
    sabotage: [
      answerStatus(200, { instead: 406 }),
      answerStatus(200, { instead: 406, path: /\/ingressclasses$/ }),
      requestHeader('accept', undefined, { method: 'POST', path: /\/leases$/ }),
      requestHeader('accept', undefined, { method: 'GET', query: { watch: true } }),
      requestHeader('accept', undefined, { method: 'GET', path: /\/scale$/ }),
    ],
    async check({ objects, expect }, { kind }) {
      const name = nameOf(await objects.create());
      for (const accept of ['text/html', 'application/xml', 'application/json;as=Table;g=meta.k8s.io;v=v99']) {
        const headers = { accept };
        expect((await objects.get(name, '', { headers })).status, `${accept}, an object`).toBe(406);
        for (const sub of partsOf(kind))
          expect((await objects.get(name, '', { headers, sub })).status, `${accept}, its ${sub}`).toBe(406);
        expect((await objects.viewed('labels').getAll('', { headers })).status, `${accept}, a list`).toBe(406);
        const watched = await objects.viewed('labels').getAll({ watch: 1, timeoutSeconds: 1 }, { headers });
        expect(watched.status, `${accept}, a watch`).toBe(406);
      }
      const before = await stateOf(objects, kind);
      const created = await objects.post(await objects.draft(), '', { headers: { accept: 'text/html' } });
      expect(created.status, 'a create').toBe(406);
      expect(await stateOf(objects, kind), 'what is stored').toEqual(before);
      expect((await objects.get(name)).status, 'no type asked for').toBe(200);
    },
  }),
];
