import { allWrites, fits } from '../checks/requests/writes.ts';
import { defineRule } from '../rule.ts';
import { answerStatus, requestHeader } from '../sabotage/transforms.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { nameOf, stateOf } from '../verbs/states.ts';
import { generalKinds, type Subject } from '../verbs/subjects.ts';

const scale = ['deployments', 'widgets', 'gadgets'];

/** Parts of an object that have an address of their own. */
const partsOf = ({ name, status }: Subject): readonly string[] => [
  ...(status ? ['status'] : []),
  ...(scale.includes(name) ? ['scale'] : []),
];

/** Who could not read the answer has changed nothing, however he went about it. */
async function writesNothing(
  objects: Collection,
  expect: RuleContext['expect'],
  kind: Subject,
  name: string,
): Promise<void> {
  const object = await objects.read(name);
  const before = await stateOf(objects, kind);
  for (const write of allWrites.filter((each) => fits({ kind, write: each }))) {
    const { status } = await write.send({ objects, object, kind, headers: { accept: 'text/html' } });
    expect(status, write.name).toBe(406);
    expect(await stateOf(objects, kind), `what is stored after ${write.name}`).toEqual(before);
  }
}

/** Where a client learns what there is. */
const places = ['/api', '/apis', '/apis/apps', '/api/v1', '/apis/apps/v1', '/version', '/openapi/v2'];
/** Not every server has these. */
const laterPlaces = ['/openapi/v3/api/v1'];

async function findsNothing({ send, expect }: RuleContext): Promise<void> {
  for (const place of [...places, ...laterPlaces]) {
    const { status } = await send('GET', place, { headers: { accept: '*/*' } });
    if (status === 404 && laterPlaces.includes(place)) continue;
    expect(status, place).toBe(200);
    expect((await send('GET', place, { headers: { accept: 'image/png' } })).status, place).toBe(406);
  }
}

/** Forms that there are not, or not by that name. */
const strange = ['as=Nothing;g=meta.k8s.io;v=v1', 'as=Table;g=apps;v=v1', 'as=Table;v=v1', 'as=Table;g=meta.k8s.io'];

async function showsNoOther({ expect }: RuleContext, objects: Collection, name: string): Promise<void> {
  for (const form of strange) {
    const headers = { accept: `application/json;${form}` };
    expect((await objects.get(name, '', { headers })).status, `${form}, an object`).toBe(406);
    expect((await objects.getAll('', { headers })).status, `${form}, a list`).toBe(406);
  }
}

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
      requestHeader('accept', undefined, { method: 'DELETE', path: /\/roles$/ }),
      requestHeader('accept', undefined, { method: 'PATCH', path: /\/status$/ }),
      requestHeader('accept', undefined, { method: 'GET', path: /^\/apis\/apps$/ }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
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
      await writesNothing(objects, expect, kind, name);
      if (kind.name === 'secrets') {
        await findsNothing(context);
        await showsNoOther(context, objects, name);
      }
      expect((await objects.get(name)).status, 'no type asked for').toBe(200);
    },
  }),
];
