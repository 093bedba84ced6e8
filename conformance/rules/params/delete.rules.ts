import { stringify } from 'yaml';
import { pass } from '../../checks/pods/job-runs.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, changeRequest, ignoreQuery, loseWrite } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { onNoNode } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { generalKinds, marking, removableKinds } from '../../verbs/subjects.ts';

const deletes = { method: 'DELETE', path: /\/secrets\/[^/]+$/ };
const options = { apiVersion: 'v1', kind: 'DeleteOptions' };
const background = { propagationPolicy: 'Background' };
/** The policies that hold an object back, and by what. */
const holding = { Foreground: 'foregroundDeletion', Orphan: 'orphan' };

/** What waits for its end is bound to preconditions as what has not been deleted yet. */
async function keepsToPreconditions(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const { metadata } = await objects.create({ metadata: { finalizers: ['example.com/one'] } });
  const remove = (preconditions: Json) =>
    objects.delete(metadata.name, { body: { ...options, ...background, preconditions } });
  const uid = '00000000-0000-0000-0000-000000000000';
  expect((await remove({ uid })).status, 'another uid of what is held').toBe(409);
  expect((await remove({ uid: metadata.uid })).status, 'its uid').toBe(200);
  expect((await remove({ uid })).status, 'another uid of what is marked').toBe(409);
  expect((await remove({ uid: metadata.uid })).status, 'its uid again').toBe(200);
  await objects.patch(metadata.name, { metadata: { finalizers: null } });
}

/** What it is told to be otherwise stays. @returns its version by then */
async function meetsPreconditions(objects: Collection, expect: RuleContext['expect'], object: Json): Promise<string> {
  const current = versionOf(await objects.merge(nameOf(object), marking('new')));
  const wrong = {
    'version, which is later': { resourceVersion: versionOf(await objects.create()) },
    uid: { uid: '00000000-0000-0000-0000-000000000000' },
    version: { resourceVersion: versionOf(object) },
    'version beside its uid': { uid: object.metadata.uid, resourceVersion: versionOf(object) },
  };
  for (const [what, preconditions] of Object.entries(wrong)) {
    const refused = await objects.delete(nameOf(object), { body: { ...options, ...background, preconditions } });
    expect(refused.status, `options with another ${what}`).toBe(409);
    expect(refused.body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Conflict' });
  }
  const { metadata } = await objects.read(nameOf(object));
  expect(metadata.deletionTimestamp, 'after refusals').toBeUndefined();
  return current;
}

/** Options of which the uid alone is a precondition. */
const forgetsVersion = ({ preconditions: { uid }, ...rest }: Json): Json => ({ ...rest, preconditions: { uid } });

/** How often others may write to a pod between two requests. */
const tries = 5;

/** What is given no more time goes at once, also where it is to be of one version: that it is marked first is no other. */
async function endsAsOneVersion(pods: Collection, expect: RuleContext['expect'], name: string): Promise<void> {
  for (let left = tries; ; left--) {
    const { uid, resourceVersion } = (await pods.read(name)).metadata;
    const body = { ...options, gracePeriodSeconds: 0, preconditions: { uid, resourceVersion } };
    const { status, body: told } = await pods.delete(name, { body });
    if (status !== 409 || left === 1) {
      expect(status, `no more time, of its version: ${told?.message ?? ''}`).toBe(200);
      return;
    }
    const { metadata } = await pods.read(name);
    expect(metadata.deletionGracePeriodSeconds, 'the grace of what was refused to be another').toBeGreaterThan(0);
  }
}

/** Servers behind one address may differ in what time it is. */
const clocksApart = 5000;

/** A pod that has a node is given time to end, which another delete may make shorter, but not longer. */
async function givesTime(pods: Collection, expect: RuleContext['expect']): Promise<void> {
  const { name, creationTimestamp } = (await pods.create(onNoNode)).metadata;
  const told: Json[] = [];
  for (const [asked, left] of [
    [60, 60],
    [10, 10],
    [30, 10],
  ] as const) {
    // A time that counts from a later delete is another one to the second.
    if (told.length > 0) await pass(1_100);
    const answer = await pods.delete(name, { query: { ...background, gracePeriodSeconds: asked } });
    expect(answer.status, `${asked} seconds: ${said(answer)}`).toBe(200);
    const { metadata } = await pods.read(name);
    expect(metadata.deletionGracePeriodSeconds, `the grace after ${asked} seconds were asked for`).toBe(left);
    told.push(Date.parse(metadata.deletionTimestamp));
  }
  // By the clock of the server, which tells no parts of a second.
  const began = (told[0] ?? 0) - 60_000 - Date.parse(creationTimestamp);
  expect(began, 'milliseconds from its beginning to that of its grace').toBeGreaterThanOrEqual(-clocksApart);
  expect(told[1], 'when it is to go, of a shorter grace').toBe((told[0] ?? 0) - 50_000);
  expect(told[2], 'when it is to go, of a longer one').toBe(told[1]);
  await endsAsOneVersion(pods, expect, name);
  expect((await pods.get(name)).status, 'without any grace').toBe(404);
  const negative = { query: { ...background, gracePeriodSeconds: -7 } };
  const { body } = await pods.delete(nameOf(await pods.create(onNoNode)), negative);
  expect(body?.metadata?.deletionGracePeriodSeconds ?? 0, 'the grace, of less than none').toBeGreaterThanOrEqual(0);
}

export default [
  // DeleteOptions may be sent with a delete or left out.
  defineRule('params.delete.body', {
    matrix: { kind: generalKinds },
    sabotage: [
      answerStatus(400, { ...deletes, body: /DeleteOptions/ }),
      loseWrite({ ...deletes, body: /DeleteOptions/ }),
      answerStatus(400, { ...deletes, header: { 'content-type': /yaml/ } }),
      answerStatus(200, { ...deletes, instead: 409 }),
      answerStatus(200, { ...deletes, instead: 422 }),
      changeRequest('looks at one precondition', forgetsVersion, { ...deletes, body: /"uid"/ }),
      answerStatus(200, { method: 'DELETE', path: /\/namespaces\/[^/]+$/, instead: 409 }),
    ],
    async check({ objects, expect }, { kind }) {
      // What goes in its own time is not seen to be gone.
      if (kind.lingers) return void (await meetsPreconditions(objects, expect, await objects.create()));
      const others = ['meta.k8s.io/v1', 'policy/v1'].map((apiVersion) => ({ ...options, ...background, apiVersion }));
      const withUnknown = { ...options, ...background, shape: 'round' };
      for (const body of [undefined, { ...options, ...background }, background, withUnknown, ...others]) {
        const object = await objects.create();
        const what = `with the body ${body === undefined ? 'left out' : JSON.stringify(body)}`;
        const parts = body ? { body } : { query: background };
        expect((await objects.delete(nameOf(object), parts)).status, what).toBe(200);
        expect((await objects.get(nameOf(object))).status, what).toBe(404);
      }
      const object = await objects.create();
      const current = await meetsPreconditions(objects, expect, object);
      await keepsToPreconditions(objects, expect);
      const other = await objects.delete(nameOf(object), {
        body: { ...options, ...background, kind: 'CreateOptions' },
      });
      expect(other.status, 'options of another kind').toBeGreaterThanOrEqual(400);
      const rehearsal = { ...options, ...background, dryRun: ['All'] };
      const dry = await objects.delete(nameOf(object), { body: rehearsal });
      expect(dry.status, 'options for a dry run').toBe(200);
      const inYaml = { body: Buffer.from(stringify(rehearsal)), headers: { 'content-type': 'application/yaml' } };
      // Nobody has to take YAML.
      const yaml = await objects.delete(nameOf(object), inYaml);
      expect([200, 415], `options for a dry run, in YAML: ${said(yaml)}`).toContain(yaml.status);
      const twice = await objects.delete(nameOf(object), {
        body: { ...options, ...background, orphanDependents: false },
      });
      expect(twice.status, 'options with a policy in the old way, too').toBe(422);
      expect((await objects.get(nameOf(object))).status, 'after all these').toBe(200);
      const preconditions = { uid: object.metadata.uid, ...(kind.busy ? {} : { resourceVersion: current }) };
      const right = await objects.delete(nameOf(object), { body: { ...options, ...background, preconditions } });
      expect(right.status, 'options that it fits').toBe(200);
      expect((await objects.get(nameOf(object))).status).toBe(404);
    },
  }),

  // A delete takes the integer `gracePeriodSeconds`.
  defineRule('params.delete.grace-period-seconds', {
    matrix: { kind: removableKinds },
    sabotage: [
      answerStatus(200, { ...deletes, query: { gracePeriodSeconds: 'soon' }, instead: 400 }),
      answerStatus(400, { ...deletes, query: { gracePeriodSeconds: '0' } }),
      ignoreQuery('gracePeriodSeconds', deletes),
      ignoreQuery('gracePeriodSeconds', {
        method: 'DELETE',
        path: /\/pods\/[^/]+$/,
        query: { gracePeriodSeconds: '10' },
      }),
    ],
    async check({ objects, expect }, { kind }) {
      if (kind.name === 'pods') await givesTime(objects, expect);
      const { metadata } = await objects.create();
      const { name } = metadata;
      const bad = await objects.delete(name, { query: { ...background, gracePeriodSeconds: 'soon' } });
      expect(bad.status, 'no integer').toBe(400);
      expect((await objects.get(name)).status, 'after that').toBe(200);
      expect((await objects.delete(name, { query: { ...background, gracePeriodSeconds: 0 } })).status, '0').toBe(200);
      expect((await objects.get(name)).status).toBe(404);
    },
  }),

  // A delete takes the string `propagationPolicy`.
  defineRule('params.delete.propagation-policy', {
    matrix: { kind: generalKinds, place: ['query', 'body'] },
    sabotage: [
      answerStatus(400, { ...deletes, query: { propagationPolicy: true } }),
      loseWrite({ ...deletes, query: { propagationPolicy: true } }),
      ignoreQuery('propagationPolicy', { method: 'DELETE' }),
    ],
    async check({ objects, expect }, { kind, place }) {
      const remove = (name: string, propagationPolicy: string) =>
        objects.delete(
          name,
          place === 'query' ? { query: { propagationPolicy } } : { body: { ...options, propagationPolicy } },
        );
      if (!kind.lingers) {
        const { metadata } = await objects.create();
        expect((await remove(metadata.name, 'Background')).status).toBe(200);
        expect((await objects.get(metadata.name)).status).toBe(404);
      }
      // A finalizer of our own keeps it, so that no collector is faster than we.
      const finalizers = ['example.com/one'];
      for (const [policy, finalizer] of kind.owns ? Object.entries(holding) : []) {
        const { metadata } = await objects.create({ metadata: { finalizers } });
        const answer = await remove(metadata.name, policy);
        expect(answer.status, policy).toBe(200);
        // Nothing depends on an Event: genuine servers leave them out of garbage collection.
        if (kind.name !== 'events') expect(answer.body.metadata?.finalizers, policy).toContain(finalizer);
        expect(answer.body.metadata.finalizers, policy).toContain('example.com/one');
        expect((await objects.read(metadata.name)).metadata.deletionTimestamp, policy).toBeTypeOf('string');
        // Who changes his mind is heard.
        for (const [other, its] of Object.entries({ ...holding, Background: undefined })) {
          if (other === policy) continue;
          const { body } = await remove(metadata.name, other);
          const wanted = ['example.com/one', ...(its ? [its] : [])];
          expect(body.metadata?.finalizers, `${other} after ${policy}`).toEqual(expect.arrayContaining(wanted));
          expect(body.metadata?.finalizers, `${other} after ${policy}`).not.toContain(finalizer);
        }
        await objects.patch(metadata.name, { metadata: { finalizers: null } });
      }
      const { metadata } = await objects.create();
      const bad = await remove(metadata.name, 'Sideways');
      expect([400, 422], 'no policy').toContain(bad.status);
      expect((await objects.get(metadata.name)).body?.metadata?.deletionTimestamp, 'after that').toBeUndefined();
    },
  }),
];
