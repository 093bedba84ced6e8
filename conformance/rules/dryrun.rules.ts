import { besideRight, grant, rightFor } from '../checks/access/permissions.ts';
import { triesDefinition } from '../checks/custom/tried-definitions.ts';
import { inForms } from '../checks/lists/selecting-forms.ts';
import { triesEvictions } from '../checks/pods/evicted-pods.ts';
import {
  refusesOptions,
  triesBindings,
  triesDeletes,
  triesInForms,
  triesInProtobuf,
  triesInYaml,
  triesMissing,
} from '../checks/requests/rehearsals.ts';
import { allWrites, fits, type Write } from '../checks/requests/writes.ts';
import { defineRule, type Rule } from '../rule.ts';
import type { Sabotage } from '../sabotage/sabotage.ts';
import { answerStatus, changeRequest, ignoreQuery, loseWrite, requestHeader } from '../sabotage/transforms.ts';
import { said } from '../verbs/said.ts';
import { nameOf, stateOf } from '../verbs/states.ts';
import { allKinds, generalKinds, named } from '../verbs/subjects.ts';

const dry = { dryRun: 'All' };

/** A subresource whose handler does not look at the parameter. */
const forgotten = (sub: string): Sabotage => ignoreQuery('dryRun', { path: new RegExp(`/${sub}$`) });

/** How kinds are tried of which there is nothing more to know. */
const plainWrites = ['create', 'update', 'merge patch', 'delete'];

/** Every write of some verbs, to an object and to its subresources, can be tried and then has done nothing. */
const triedRule = (id: string, verbs: readonly Write['verb'][], sabotage: readonly Sabotage[]): Rule =>
  defineRule(id, {
    matrix: { kind: allKinds, write: allWrites.filter(({ verb }) => verbs.includes(verb)) },
    where: ({ kind, write }) =>
      fits({ kind, write }) && (generalKinds.includes(kind) || plainWrites.includes(write.name)),
    sabotage,
    async check(context, { kind, write }) {
      const { objects, expect } = context;
      await objects.create();
      const object = await objects.create();
      const before = await stateOf(objects, kind);
      const answer = await write.send({ objects, object, kind, query: dry });
      expect(answer.status, said(answer)).toBeGreaterThanOrEqual(200);
      expect(answer.status, said(answer)).toBeLessThan(300);
      if (write.name === 'update' || write.name === 'apply') await triesMissing(objects, expect, kind, write);
      if (verbs.includes('delete')) await triesDeletes(objects, expect, object, write);
      if (write.name === 'delete' && kind.name === 'widgets') await triesDefinition(context);
      if (inForms.includes(kind)) await triesInForms(context, objects, { kind, write }, nameOf(object));
      if (inForms.includes(kind) && verbs.includes('create')) await triesInYaml(objects, expect);
      if (kind.name === 'secrets' && write.name === 'create' && context.capabilities.includes('protobuf'))
        await triesInProtobuf(context, objects, nameOf(object));
      if (write.sub === 'binding') await triesBindings(context, nameOf(object));
      if (write.sub === 'eviction') await triesEvictions(context);
      expect(await stateOf(objects, kind), 'what is stored').toEqual(before);
    },
  });

export default [
  // A POST can be tried with `dryRun=All`.
  triedRule(
    'dryrun.post',
    ['create'],
    [
      ignoreQuery('dryRun', { method: 'POST' }),
      ignoreQuery('dryRun', { method: 'POST', path: /\/rolebindings$/ }),
      ...[/yaml/, /protobuf/].map((type) =>
        ignoreQuery('dryRun', { method: 'POST', header: { 'content-type': type } }),
      ),
      answerStatus(400, { method: 'POST', query: { dryRun: true } }),
      forgotten('eviction'),
      changeRequest('forgets the options of an eviction', ({ deleteOptions: _, ...rest }) => rest, {
        path: /\/eviction$/,
      }),
    ],
  ),
  // A PUT can be tried with `dryRun=All`.
  triedRule(
    'dryrun.put',
    ['update'],
    [
      ignoreQuery('dryRun', { method: 'PUT' }),
      answerStatus(400, { method: 'PUT', query: { dryRun: true } }),
      ...['status', 'scale', 'approval', 'finalize'].map(forgotten),
    ],
  ),
  // A PATCH, apply too, can be tried with `dryRun=All`.
  triedRule(
    'dryrun.patch',
    ['patch'],
    [
      ignoreQuery('dryRun', { method: 'PATCH' }),
      ignoreQuery('dryRun', { method: 'PATCH', header: { 'content-type': /apply/ } }),
      forgotten('scale'),
    ],
  ),
  // A DELETE can be tried with `dryRun=All`.
  triedRule(
    'dryrun.delete',
    ['delete', 'deletecollection'],
    [
      ignoreQuery('dryRun', { method: 'DELETE' }),
      answerStatus(400, { method: 'DELETE', query: { dryRun: true } }),
      ignoreQuery('dryRun', { method: 'DELETE', path: /\/endpointslices$/ }),
      ignoreQuery('dryRun', { method: 'DELETE', query: { fieldSelector: true } }),
      ignoreQuery('dryRun', { method: 'DELETE', path: /\/customresourcedefinitions\// }),
      changeRequest('forgets that it is a rehearsal', ({ dryRun: _, ...options }) => options, {
        method: 'DELETE',
        body: /preconditions/,
      }),
      changeRequest('forgets that all is a rehearsal', ({ dryRun: _, ...options }) => options, {
        method: 'DELETE',
        path: /\/[a-z]+s$/,
      }),
    ],
  ),

  // Without `dryRun` a write is real.
  defineRule('dryrun.unset', {
    matrix: { kind: generalKinds },
    sabotage: loseWrite({ method: 'POST', path: /\/secrets$/, query: { dryRun: false } }),
    async check({ objects, expect }) {
      const body = await objects.draft();
      expect((await objects.post(body)).status).toBe(201);
      expect((await objects.get(body.metadata.name)).status).toBe(200);
    },
  }),

  // An empty `dryRun` is as good as none.
  defineRule('dryrun.empty', {
    matrix: { kind: generalKinds },
    sabotage: [
      loseWrite({ method: 'POST', path: /\/secrets$/, query: { dryRun: '' } }),
      answerStatus(200, { method: 'POST', query: { dryRun: '' } }),
    ],
    async check({ objects, looser, expect }) {
      for (const query of ['dryRun=', 'dryRun']) {
        const body = await objects.draft();
        const answer = await objects.post(body, query);
        // A genuine server refuses both; but it must not take them for a dry run.
        await looser(() => expect(answer.status, `?${query}`).toBe(201));
        expect([201, 422], `?${query}`).toContain(answer.status);
        expect((await objects.get(body.metadata.name)).status, `the object after ?${query}`).toBe(
          answer.status === 201 ? 200 : 404,
        );
      }
    },
  }),

  // `dryRun` takes `All` and nothing else.
  defineRule('dryrun.other-values', {
    matrix: {
      kind: named('secrets', 'deployments', 'pods', 'widgets', 'certificatesigningrequests', 'namespaces'),
      write: allWrites,
    },
    where: fits,
    sabotage: [
      answerStatus(201, { method: 'POST', query: { dryRun: true }, instead: 422 }),
      ignoreQuery('dryRun', { method: 'POST' }),
    ],
    async check(context, { kind, write }) {
      const { objects, expect } = context;
      const object = await objects.create();
      for (const dryRun of ['all', 'true', 'None', ['All', 'None']]) {
        const { status } = await write.send({ objects, object, kind, query: { dryRun } });
        expect(status, String(dryRun)).toBeGreaterThanOrEqual(400);
        expect(status, String(dryRun)).toBeLessThan(500);
      }
      const twice = await write.send({ objects, object, kind, query: { dryRun: ['All', 'All'] } });
      expect(twice.status, `All, twice: ${said(twice)}`).toBeLessThan(300);
      if (/^delete/.test(write.name)) await refusesOptions(objects, expect, nameOf(object), write);
      const { items } = await objects.viewed('labels').list();
      expect(
        items.map(({ metadata }: typeof object) => metadata.uid),
        'what is stored',
      ).toEqual([object.metadata.uid]);
      expect(items[0].metadata.deletionTimestamp, 'of what is stored').toBeUndefined();
    },
  }),

  // A trial needs the very permission that the real request needs.
  defineRule('dryrun.authorization', {
    needs: ['second-user', 'rights'],
    matrix: {
      kind: named('secrets', 'ingresses', 'deployments', 'pods', 'widgets', 'gadgets', 'certificatesigningrequests'),
      write: allWrites,
    },
    where: fits,
    sabotage: requestHeader('impersonate-user', undefined, { query: { dryRun: true } }),
    async check(context, { kind, write }) {
      const { objects, as, unique, waitUntil, expect } = context;
      const name = unique('user');
      const theirs = objects.by(as({ name }));
      const object = await objects.create();
      const attempt = async () => (await write.send({ objects: theirs, object, kind, query: dry })).status;
      expect(await attempt(), 'without the right').toBe(403);
      await grant(
        context,
        name,
        [rightFor(objects.at, write), ...besideRight(objects.at, write)],
        objects.at.namespaced,
      );
      await waitUntil('a dry run is allowed with the right', attempt, (status) => status >= 200 && status < 300);
      const other = write.verb === 'delete' ? 'create' : 'delete';
      const wrong = allWrites.find((one) => one.name === other) ?? write;
      expect((await wrong.send({ objects: theirs, object, kind, query: dry })).status, 'another verb').toBe(403);
    },
  }),
];
