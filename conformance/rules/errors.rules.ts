import { grants, grantsNoMore } from '../checks/access/overreach.ts';
import { grant, rightFor } from '../checks/access/permissions.ts';
import { allWrites, fits, type Write } from '../checks/requests/writes.ts';
import { defineRule } from '../rule.ts';
import { answerStatus, removeIn, requestHeader } from '../sabotage/transforms.ts';
import type { Answer, Json } from '../verbs/client.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { merged } from '../verbs/merged.ts';
import { nameOf, stateOf } from '../verbs/states.ts';
import { changeOf, generalKinds, type Subject } from '../verbs/subjects.ts';

/** Who may change what is there may not by the same request make what is missing. */
async function mayNotCreate(
  context: RuleContext & { readonly objects: Collection },
  kind: Subject,
  write: Write,
  object: Json,
): Promise<void> {
  const { objects, as, unique, waitUntil, expect } = context;
  const name = unique('editor');
  // Else roles could only be given rights that the editor has.
  const { verbs, ...right } = rightFor(objects.at, write);
  await grant(context, name, [{ ...right, verbs: [...verbs, 'escalate'] }], kind.namespaced);
  const theirs = objects.by(as({ name }));
  await waitUntil(
    `${write.name} of what is there is allowed`,
    async () => (await write.send({ objects: theirs, object, kind })).status,
    (status) => status !== 403,
  );
  const draft = await objects.draft();
  const whole = { ...kind, change: (round: number) => merged(draft, changeOf(kind, round)) };
  const { status } = await write.send({ objects: theirs, object: draft, kind: whole });
  // Where an update makes nothing there is nothing to be allowed.
  expect(write.name === 'apply' ? [403] : [403, 404, 422], `${write.name} of what is missing`).toContain(status);
  expect((await objects.get(nameOf(draft))).status, 'what was missing').toBe(404);
}

const labels = { app: 'nobody' };
/** Of whose pods there are none. */
const paused: Json = {
  spec: { paused: true, replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels } } },
};
const containersOf = (image: string): readonly Json[] => [
  { name: 'a', image: 'registry.example/a:1' },
  { name: 'b', image: `registry.example/b:${image}` },
];

export default [
  // Who is known but has no permission gets 403.
  defineRule('errors.403', {
    needs: ['second-user', 'rights'],
    sabotage: [
      requestHeader('impersonate-user', undefined),
      answerStatus(404, { instead: 403 }),
      answerStatus(200, { method: 'PUT', path: /\/clusterroles\//, instead: 403 }),
      answerStatus(201, { method: 'POST', path: /\/rolebindings$/, instead: 403 }),
      ...['status', 'scale', 'eviction', 'approval'].map((sub) =>
        requestHeader('impersonate-user', undefined, { path: new RegExp(`/${sub}$`) }),
      ),
    ],
    matrix: { kind: generalKinds, write: allWrites },
    where: fits,
    async check(context, { kind, write }) {
      const { objects, as, unique, expect } = context;
      const object = await objects.create();
      const before = await stateOf(objects, kind);
      const theirs = objects.by(as({ name: unique('nobody') }));
      const answers: Record<string, Answer> = { [write.name]: await write.send({ objects: theirs, object, kind }) };
      if (write.name === 'create') {
        answers['get'] = await theirs.get(nameOf(object));
        answers['list'] = await theirs.getAll();
        answers['watch'] = await theirs.getAll({ watch: 1, timeoutSeconds: 1 });
        answers['missing'] = await theirs.get('touchstone-missing');
        answers['everywhere'] = await theirs.viewed('everywhere').getAll();
      }
      for (const [what, { status, body }] of Object.entries(answers)) {
        expect(status, what).toBe(403);
        expect(body, what).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 });
      }
      expect(await stateOf(objects, kind), 'what is stored').toEqual(before);
      if (write.name === 'update' || write.name === 'apply') await mayNotCreate(context, kind, write, object);
      if (grants(kind, write)) await grantsNoMore(context, kind, write);
    },
  }),

  // A conflict of apply is a Status that tells which fields and which managers are in the way.
  defineRule('errors.apply-conflict', {
    sabotage: [
      answerStatus(200, { method: 'PATCH', instead: 409 }),
      removeIn('details', { method: 'PATCH' }),
      removeIn('details', { method: 'PATCH', path: /\/deployments\// }),
    ],
    async check({ secrets, deployments, unique, expect }) {
      const name = unique();
      await secrets.apply(name, { data: { a: 'aaaa', b: 'aaaa' } }, 'first');
      const { status, body } = await secrets.tryApply(name, { data: { a: 'bbbb', b: 'bbbb' } }, 'second');
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body).toMatchObject({ kind: 'Status', status: 'Failure' });
      const causes = (body.details?.causes ?? []).map((cause: Json) => `${cause.field} ${cause.message}`).sort();
      expect(causes, 'one cause a field').toHaveLength(2);
      expect(causes[0]).toMatch(/\.data\.a .*first/);
      expect(causes[1]).toMatch(/\.data\.b .*first/);
      // Of two elements of a list it is told which one is meant.
      const images = (image: string): Json => ({
        ...paused,
        spec: { ...paused.spec, template: { ...paused.spec.template, spec: { containers: containersOf(image) } } },
      });
      await deployments.apply(name, images('one'), 'first');
      const inside = await deployments.tryApply(name, images('two'), 'second');
      expect(inside.body.details?.causes, 'one cause, in a list').toHaveLength(1);
      expect(inside.body.details.causes[0].field).toMatch(/\.containers\[name="b"\]\.image$/);
    },
  }),
];
