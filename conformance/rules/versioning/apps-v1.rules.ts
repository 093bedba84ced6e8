import { defineRule, type Rule } from '../../rule.ts';
import { changesRefused, storesRefused } from '../../sabotage/careless.ts';
import { answerStatus, changeAnswer, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';

type Workload = 'deployments' | 'statefulSets' | 'replicaSets';

const pathOf = (kind: Workload): RegExp => new RegExp(`/${kind.toLowerCase()}(/[^/]+)?$`);

const selectorRequired = (id: string, kind: Workload): Rule =>
  defineRule(id, {
    sabotage: [
      answerStatus(201, { method: 'POST', path: pathOf(kind), instead: 422 }),
      storesRefused({ path: pathOf(kind) }),
    ],
    async check(context) {
      const { expect } = context;
      const objects = context[kind];
      const sample = objects.sample({ spec: { selector: undefined } });
      expect((await objects.post(sample)).status, 'without a selector').toBe(422);
      expect((await objects.get(sample.metadata.name)).status, 'without a selector, as stored').toBe(404);
      expect((await objects.post(objects.sample())).status, 'with a selector').toBe(201);
    },
  });

const selectorImmutable = (id: string, kind: Workload): Rule =>
  defineRule(id, {
    sabotage: [
      answerStatus(200, { method: 'PUT', path: pathOf(kind), instead: 422 }),
      changesRefused({ method: ['PUT', 'PATCH'], path: pathOf(kind) }),
    ],
    async check(context) {
      const { expect } = context;
      const objects = context[kind];
      const object = await objects.create();
      // Controllers write to it meanwhile.
      delete object.metadata.resourceVersion;
      const labels = { app: 'another' };
      const template = { ...object.spec.template, metadata: { labels } };
      const refused = await objects.put({
        ...object,
        spec: { ...object.spec, selector: { matchLabels: labels }, template },
      });
      expect(refused.status, 'by an update').toBe(422);
      const expressions = { matchExpressions: [{ key: 'app', operator: 'Exists' }] };
      const wider = await objects.put({ ...object, spec: { ...object.spec, selector: expressions } });
      expect(wider.status, 'by an update that has expressions').toBe(422);
      const change = { spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } } };
      expect((await objects.patch(object.metadata.name, change)).status, 'by a patch').toBe(422);
      expect((await objects.read(object.metadata.name)).spec.selector).toEqual(object.spec.selector);
    },
  });

/** A field that is filled in with this value. */
const defaulted = (id: string, kind: Workload, path: readonly string[], value: unknown): Rule =>
  defineRule(id, {
    sabotage: [removeIn(path.join('.'), { path: pathOf(kind) }), replaceIn(path.join('.'), { path: pathOf(kind) })],
    async check(context) {
      const objects = context[kind];
      const object = await objects.create();
      const found = path.reduce<Json>((part, step) => part?.[step], object);
      context.expect(found, path.join('.')).toBe(value);
    },
  });

const rollingUpdate = async ({ deployments, expect }: RuleContext): Promise<void> => {
  const { spec } = await deployments.create();
  const rollingUpdate = { maxSurge: '25%', maxUnavailable: '25%' };
  expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate });
  for (const given of [{ maxSurge: 2 }, { maxUnavailable: 0 }, { maxUnavailable: '50%' }]) {
    const other = await deployments.create({ spec: { strategy: { rollingUpdate: given } } });
    expect(other.spec.strategy?.rollingUpdate, 'beside what is given').toEqual({ ...rollingUpdate, ...given });
  }
};

export default [
  // A Deployment has no `spec.rollbackTo` any more.
  defineRule('versioning.apps-v1.deployment.rollback-to', {
    sabotage: changeAnswer(
      'keeps spec.rollbackTo',
      (body) => ({ ...body, spec: { ...body.spec, rollbackTo: { revision: 1 } } }),
      { path: pathOf('deployments') },
    ),
    async check({ deployments, expect }) {
      const { status, body } = await deployments.post(deployments.sample({ spec: { rollbackTo: { revision: 1 } } }));
      expect(status).toBe(201);
      expect(body.spec.rollbackTo).toBeUndefined();
    },
  }),

  // A Deployment rolls by 25% surge and 25% unavailable unless it says otherwise.
  defineRule('versioning.apps-v1.deployment.rolling', {
    sabotage: [
      replaceIn('spec.strategy.rollingUpdate.maxSurge', { with: 1, path: pathOf('deployments') }),
      replaceIn('spec.strategy.rollingUpdate.maxUnavailable', { with: 1, path: pathOf('deployments') }),
    ],
    check: rollingUpdate,
  }),

  // A Deployment must say its selector.
  selectorRequired('versioning.apps-v1.deployment.selector-required', 'deployments'),
  // A Deployment keeps its selector.
  selectorImmutable('versioning.apps-v1.deployment.selector-immutable', 'deployments'),
  // A Deployment has 600 seconds for progress unless it says otherwise.
  defaulted('versioning.apps-v1.deployment.progress-deadline', 'deployments', ['spec', 'progressDeadlineSeconds'], 600),
  // A Deployment keeps 10 old revisions unless it says otherwise.
  defaulted('versioning.apps-v1.deployment.history-limit', 'deployments', ['spec', 'revisionHistoryLimit'], 10),
  // A StatefulSet must say its selector.
  selectorRequired('versioning.apps-v1.statefulset.selector-required', 'statefulSets'),
  // A StatefulSet keeps its selector.
  selectorImmutable('versioning.apps-v1.statefulset.selector-immutable', 'statefulSets'),
  // A StatefulSet is updated by `RollingUpdate` unless it says otherwise.
  defaulted(
    'versioning.apps-v1.statefulset.update-strategy',
    'statefulSets',
    ['spec', 'updateStrategy', 'type'],
    'RollingUpdate',
  ),
  // A ReplicaSet must say its selector.
  selectorRequired('versioning.apps-v1.replicaset.selector-required', 'replicaSets'),
  // A ReplicaSet keeps its selector.
  selectorImmutable('versioning.apps-v1.replicaset.selector-immutable', 'replicaSets'),
];
