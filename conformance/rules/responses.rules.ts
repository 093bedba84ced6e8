import {
  allWrites,
  changingWrites,
  fits,
  saying,
  saysVersion,
  type Write,
  type WriteParts,
} from '../checks/requests/writes.ts';
import { defineRule } from '../rule.ts';
import { forgetVersion } from '../sabotage/careless.ts';
import { answerStatus, loseWrite, removeIn, replaceIn, requestHeader } from '../sabotage/transforms.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import type { Json } from '../verbs/json.ts';
import { said } from '../verbs/said.ts';
import { nameOf, stateOf, versionOf } from '../verbs/states.ts';
import { generalKinds, removableKinds, seen, views } from '../verbs/subjects.ts';

const item = /\/secrets\/[^/]+$/;
const collection = /\/secrets$/;
const background = { query: { propagationPolicy: 'Background' } };
/** What only what lingers has. */
const marked = 'deletionTimestamp';
const everyKind = { matrix: { kind: generalKinds } } as const;
const unproven = { authorization: /not-a-token/ };

/** What is gone is told by its name, its uid and what it was one of. */
function tellsWhatIsGone(expect: RuleContext['expect'], { at }: Collection, { name, uid }: Json, body: Json): void {
  const details = { name, uid, kind: at.resource, ...(at.group && { group: at.group }) };
  expect(body, 'of what is gone').toMatchObject({ kind: 'Status', status: 'Success', details });
}

/** Who has not seen what is there now is refused, and who says no version at all. @param sending where the object was before */
async function refusesVersions(expect: RuleContext['expect'], write: Write, sending: WriteParts): Promise<void> {
  const { objects, object, kind } = sending;
  const other = versionOf(await objects.create());
  const wrong = [
    // Also where what is wanted is there already.
    ...[1, 2].map((round) => ({ what: 'what was there before', resourceVersion: versionOf(object), round })),
    { what: 'what another one became later', resourceVersion: other, round: 2 },
  ];
  for (const { what, resourceVersion, round } of wrong) {
    const late = await write.send({ ...sending, kind: saying(kind, { resourceVersion }), round });
    expect(late.status, `by somebody who has seen only ${what}`).toBe(409);
    expect(late.body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Conflict' });
  }
  const blind = await write.send({ ...sending, kind: saying(kind, { resourceVersion: 'none' }) });
  expect(blind.status, 'by somebody whose version is none').toBeGreaterThanOrEqual(400);
}

export default [
  // A get that finds its object answers it with 200.
  defineRule('responses.get.200', {
    ...everyKind,
    sabotage: [
      answerStatus(203, { method: 'GET', path: item }),
      answerStatus(203, { method: 'GET', path: /\/status$/ }),
      replaceIn('metadata.uid', { method: 'GET', path: /\/status$/ }),
      replaceIn('spec', { method: 'GET', path: /\/status$/, with: {} }),
    ],
    async check({ objects, expect }, { kind }) {
      const { metadata } = await objects.create();
      const whole = await objects.read(metadata.name);
      for (const sub of ['', ...(kind.status ? ['status'] : [])]) {
        const answer = await objects.get(metadata.name, '', { sub });
        expect(answer.status, sub).toBe(200);
        expect(answer.body, sub).toMatchObject({ kind: objects.at.kind, metadata: { uid: metadata.uid } });
        if (!kind.busy) expect(answer.body, `the whole of it, ${sub}`).toEqual(whole);
      }
    },
  }),

  // Whatever the verb, credentials that prove nothing are answered 401, and nothing is changed.
  defineRule('responses.401', {
    matrix: { kind: generalKinds, write: allWrites },
    where: fits,
    sabotage: [
      ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
        answerStatus(403, { method, header: unproven, instead: 401 }),
      ),
      answerStatus(200, { method: 'PUT', path: /\/status$/, header: unproven, instead: 401 }),
      requestHeader('authorization', undefined, { header: unproven }),
    ],
    async check({ objects, withToken, expect }, { kind, write }) {
      const object = await objects.create();
      const before = await stateOf(objects, kind);
      const theirs = objects.by(withToken('not-a-token-of-anybody'));
      const answers = [await write.send({ objects: theirs, object, kind })];
      if (write.name === 'create')
        answers.push(await theirs.get(nameOf(object)), await theirs.getAll(), await theirs.getAll({ watch: 1 }));
      for (const { status, body } of answers) {
        expect(status).toBe(401);
        expect(body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Unauthorized', code: 401 });
      }
      expect(await stateOf(objects, kind), 'what is stored').toEqual(before);
    },
  }),

  // A list that succeeds answers the kind's list with 200.
  defineRule('responses.list.200', {
    matrix: { kind: generalKinds, view: views },
    where: seen,
    sabotage: [
      answerStatus(203, { method: 'GET', path: collection }),
      replaceIn('kind', { method: 'GET', path: collection }),
    ],
    async check({ objects, expect }, { view }) {
      await objects.create();
      const answer = await objects.viewed(view).getAll();
      expect(answer.status).toBe(200);
      expect(answer.body.kind).toBe(`${objects.at.kind}List`);
    },
  }),

  // A create that succeeds answers the new object with 200, 201 or 202.
  defineRule('responses.create.code', {
    ...everyKind,
    sabotage: [
      answerStatus(203, { method: 'POST', path: collection }),
      replaceIn('kind', { method: 'POST', path: collection }),
    ],
    async check({ objects, expect }) {
      const annotations = { a: 'one' };
      const sent = await objects.draft({ metadata: { annotations } });
      const { status, body } = await objects.post(sent);
      expect([200, 201, 202]).toContain(status);
      expect(body).toMatchObject({ kind: objects.at.kind, metadata: { name: nameOf(sent), annotations } });
      expect(body.metadata.uid, 'the new object').toBe((await objects.read(nameOf(sent))).metadata.uid);
    },
  }),

  ...(['update', 'patch'] as const).map((verb) => {
    const method = verb === 'update' ? 'PUT' : 'PATCH';
    return defineRule(`responses.${verb}.code`, {
      matrix: { kind: generalKinds, write: changingWrites.filter((write) => write.verb === verb) },
      where: fits,
      sabotage: [
        answerStatus(203, { method }),
        replaceIn('metadata.resourceVersion', { with: '7', method }),
        forgetVersion({ method }),
        forgetVersion({ method, path: /\/status$/ }),
        answerStatus(200, { method, instead: 409, from: 3 }),
      ],
      async check({ objects, expect }, { kind, write }) {
        const object = await objects.create();
        const answer = await write.send({ objects, object, kind });
        expect(answer.status, `of what was there: ${said(answer)}`).toBe(200);
        const stored = await objects.read(nameOf(object));
        if (!kind.busy && write.shows) expect(answer.body, 'what is stored now').toEqual(stored);
        else if (!kind.busy) expect(versionOf(answer.body)).toBe(versionOf(stored));
        if (!kind.busy && saysVersion(write)) {
          await refusesVersions(expect, write, { objects, object, kind });
          expect(await objects.read(nameOf(object)), 'what is stored then').toEqual(stored);
        }
        if (write.name !== 'apply') return;
        const missing = await objects.draft();
        expect((await objects.tryApply(nameOf(missing), missing, 'applier')).status, 'of what was not there').toBe(201);
      },
    });
  }),

  // A delete that succeeds answers 200 or 202.
  defineRule('responses.delete.code', {
    matrix: { kind: removableKinds },
    sabotage: [
      answerStatus(204, { method: 'DELETE', path: item }),
      answerStatus(204, { method: 'DELETE', path: /\/pods\/[^/]+$/ }),
      loseWrite({ method: 'DELETE', path: item }),
    ],
    async check({ objects, expect }) {
      const { metadata } = await objects.create();
      expect([200, 202]).toContain((await objects.delete(metadata.name, background)).status);
      expect((await objects.get(metadata.name)).status, 'afterwards').toBe(404);
    },
  }),

  // The answer to a delete is a Status.
  defineRule('responses.delete.body', {
    ...everyKind,
    sabotage: [
      replaceIn('kind', { method: 'DELETE', path: item }),
      replaceIn('status', { with: 'Failure', method: 'DELETE', path: item }),
      replaceIn('details.kind', { method: 'DELETE', path: /\/secrets\// }),
      removeIn('details.group', { method: 'DELETE', path: /\/leases\// }),
      replaceIn(`metadata.${marked}`, { method: 'DELETE', path: /\/services\/[^/]+$/, with: '2001-02-03T04:05:06Z' }),
    ],
    async check({ objects, expect }, { kind }) {
      const { metadata } = await objects.create();
      const { body } = await objects.delete(metadata.name, background);
      // Where more than the request is needed to remove it, a server may show the object instead.
      if (body?.kind !== objects.at.kind) return tellsWhatIsGone(expect, objects, metadata, body);
      expect(body.metadata.uid).toBe(metadata.uid);
      const isGone = (await objects.get(metadata.name)).status === 404;
      // Whatever else holds it may have let go of it in between.
      if (isGone && !kind.lingers && kind.name !== 'pods')
        expect(body.metadata, 'of what went at once').not.toHaveProperty(marked);
    },
  }),

  // A deletecollection that succeeds answers 200.
  defineRule('responses.deletecollection.code', {
    matrix: { kind: removableKinds },
    sabotage: [
      answerStatus(202, { method: 'DELETE', path: collection }),
      loseWrite({ method: 'DELETE', path: collection }),
    ],
    async check({ objects, expect }) {
      await objects.createMany(2);
      const own = objects.viewed('labels');
      expect((await own.deleteAll(background)).status).toBe(200);
      expect((await own.list()).items, 'what is left').toEqual([]);
      expect((await own.deleteAll(background)).status, 'of nothing').toBe(200);
    },
  }),

  // The answer to a deletecollection is a Status.
  defineRule('responses.deletecollection.body', {
    matrix: { kind: removableKinds },
    sabotage: [
      replaceIn('kind', { method: 'DELETE', path: collection }),
      replaceIn(`items.*.metadata.${marked}`, { method: 'DELETE', path: collection, with: '2001-02-03T04:05:06Z' }),
    ],
    async check({ objects, expect }, { kind }) {
      const uids = (await objects.createMany(2)).map(({ metadata }) => metadata.uid);
      const { body } = await objects.viewed('labels').deleteAll(background);
      // A genuine server shows what it has deleted.
      expect(['Status', `${objects.at.kind}List`]).toContain(body?.kind);
      if (body.kind === 'Status') expect(body.status).toBe('Success');
      else expect(body.items.map((one: Json) => one.metadata.uid)).toEqual(uids);
      if (kind.name === 'pods') return;
      for (const { metadata } of body.items ?? []) expect(metadata, 'of what went at once').not.toHaveProperty(marked);
    },
  }),
];
