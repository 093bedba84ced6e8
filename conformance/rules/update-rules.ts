import { changesOwners } from '../checks/life/owner-changes.ts';
import { byUpdate, makesTheSame } from '../checks/requests/creations.ts';
import { putsOthers, putsUnseen } from '../checks/requests/put-objects.ts';
import { mainWrites, unversioned } from '../checks/requests/writes.ts';
import { defineRule, type Rule } from '../rule.ts';
import { answerStatus, loseWrite, notFound, removeIn, replaceIn } from '../sabotage/transforms.ts';
import { said } from '../verbs/said.ts';
import { nameOf } from '../verbs/states.ts';
import { changeOf, generalKinds } from '../verbs/subjects.ts';

const item = /\/secrets\/[^/]+$/;
const kept = { metadata: { annotations: { 'example.com/before': 'schön e\u0301 ✓ 語 😀' } } };

/** Members that objects can do without, by kind. */
const dispensable: Readonly<Record<string, string>> = {
  secrets: 'data',
  configmaps: 'data',
  roles: 'rules',
  clusterroles: 'rules',
  priorityclasses: 'description',
};

/** What a PUT to an object's path does. */
export const updateRules: readonly Rule[] = [
  // A PUT to an object's path puts the body in its place.
  defineRule('verbs.update', {
    matrix: { kind: generalKinds },
    sabotage: [
      loseWrite({ method: 'PUT', path: item }),
      loseWrite({ method: 'PUT', path: /\/pods\/[^/]+$/ }),
      answerStatus(409, { method: 'PUT', body: /"resourceVersion":"0"/ }),
      answerStatus(200, { method: 'PUT', path: /\/leases\/[^/]+$/, instead: 422 }),
      loseWrite({ method: 'PUT', body: /ownerReferences/ }),
    ],
    async check({ objects, expect }, { kind }) {
      const [write] = mainWrites.filter(({ name }) => name === 'update');
      const made = await objects.create({ metadata: { ...kept.metadata, labels: { 'example.com/empty': '' } } });
      // A Service that is no load balancer has no address of one for long.
      const told = kind.busy || kind.name === 'services' ? undefined : kind.status?.(1);
      const { status: _, ...annotated } = told ? await objects.merge(nameOf(made), told, 'status') : made;
      const { annotations: __, ...metadata } = annotated.metadata;
      const object = { ...annotated, metadata };
      const answer = await write?.send({ objects, object, kind });
      expect(answer?.status, answer && said(answer)).toBe(200);
      const stored = await objects.read(nameOf(object));
      expect(stored, 'what was put').toMatchObject(changeOf(kind, 1));
      expect(stored.metadata.annotations?.['example.com/before'], 'what was left out').toBeUndefined();
      expect(stored.metadata.labels['example.com/empty'], 'a label without a value').toBe('');
      expect(stored.metadata.uid).toBe(object.metadata.uid);
      expect(stored.metadata.creationTimestamp).toBe(object.metadata.creationTimestamp);
      expect(stored, 'the status, which has a path of its own').toMatchObject(told ?? {});
      const { labels, ...unlabelled } = stored.metadata;
      const bare = await objects.put(unversioned(kind, { ...stored, metadata: unlabelled }));
      expect(bare.status, said(bare)).toBe(200);
      expect(bare.body.metadata.labels ?? {}, 'labels that are left out').not.toHaveProperty(['example.com/empty']);
      await putsUnseen(objects, expect, nameOf(made));
      if (write) await changesOwners(objects, expect, { kind, write, name: nameOf(made) });
      const whole = await objects.replace({ ...bare.body, metadata: { ...bare.body.metadata, labels } });
      const member = dispensable[kind.name];
      if (member === undefined) return;
      const { [member]: ___, ...less } = whole;
      expect((await objects.put(unversioned(kind, less))).status, `without ${member}`).toBe(200);
      expect(Object.keys((await objects.read(nameOf(made)))[member] ?? {}), member).toEqual([]);
    },
  }),

  // A PUT is a create when nothing is there and the kind allows that, else an update.
  defineRule('verbs.update.classified', {
    matrix: { kind: generalKinds },
    sabotage: [
      answerStatus(200, { method: 'PUT', path: /\/roles\//, instead: 201 }),
      answerStatus(201, { method: 'PUT', path: /\/secrets\//, instead: 404 }),
      replaceIn('metadata.uid', { method: 'PUT', path: /\/secrets\// }),
      removeIn('metadata.managedFields', { method: 'PUT', path: /\/leases\// }),
      notFound({ method: 'PUT', path: /\/limitranges\// }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const body = await objects.draft();
      const created = await objects.put(body);
      if (byUpdate.fits(kind)) {
        expect(created.status, 'PUT of what is missing').toBe(201);
        expect((await objects.read(nameOf(body))).metadata.uid).toBe(created.body.metadata.uid);
        await makesTheSame({ objects, expect }, kind, byUpdate);
        if (kind.name === 'roles') await putsOthers(context);
      } else {
        // A custom object must bring a version, of which there is none; the others are not found.
        expect(kind.custom ? [404, 422] : [404], 'PUT of what PUT does not create').toContain(created.status);
        expect((await objects.get(nameOf(body))).status, 'nothing is stored').toBe(404);
        await objects.post(body);
      }
      const present = await objects.read(nameOf(body));
      const updated = await objects.put(
        unversioned(kind, { ...present, metadata: { ...present.metadata, ...kept.metadata } }),
      );
      expect(updated.status, 'PUT of what is there').toBe(200);
      expect(updated.body.metadata.uid).toBe(present.metadata.uid);
    },
  }),
];
