import { describe, expect, test } from 'vitest';
import { ownMetadata } from '../carried-annotations.ts';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { creations, type Reached, updates } from '../write-tables.fixture.ts';
import { controllerRevision } from './controller-revision.ts';
import { daemonSet } from './daemon-set.ts';
import { deployment } from './deployment.ts';
import { replicaSet } from './replica-set.ts';
import { statefulSet } from './stateful-set.ts';

const template = (labels: object = { app: 'x' }, more: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }], ...more },
});
const spec = (fields: object = {}) => ({
  spec: { selector: { matchLabels: { app: 'x' } }, template: template(), ...fields },
});
const labelsAt = 'spec.template.metadata.labels';
const other = { selector: { matchLabels: { app: 'z' } }, template: template({ app: 'z' }) };

describe('Deployment', () => {
  const rolling = 'spec.strategy.rollingUpdate';
  creations(deployment, [
    ['what it needs', spec(), []],
    ['nothing', {}, ['spec.selector Required', `${labelsAt} Invalid`, 'spec.template.spec.containers Required']],
    ['no selector', spec({ selector: undefined }), ['spec.selector Required', `${labelsAt} Invalid`]],
    ['a selector of everything', spec({ selector: {} }), ['spec.selector Invalid']],
    [
      'a selector that is none, beside which pods are not looked at',
      spec({ selector: { matchLabels: { app: 'a b' } }, template: {} }),
      ['spec.selector.matchLabels Invalid', 'spec.selector Invalid'],
    ],
    [
      'a disk that several pods write',
      spec({
        replicas: 2,
        template: template(undefined, { volumes: [{ name: 'd', gcePersistentDisk: { pdName: 'p' } }] }),
      }),
      ['spec.template.spec.volumes[0].gcePersistentDisk.readOnly Invalid'],
    ],
    ['a selector of other pods', spec({ selector: { matchLabels: { app: 'y' } } }), [`${labelsAt} Invalid`]],
    [
      'pods that end',
      spec({ template: template(undefined, { restartPolicy: 'Never' }) }),
      ['spec.template.spec.restartPolicy NotSupported'],
    ],
    [
      'pods with a deadline',
      spec({ template: template(undefined, { activeDeadlineSeconds: 5 }) }),
      ['spec.template.spec.activeDeadlineSeconds Forbidden'],
    ],
    [
      'negative numbers',
      spec({ replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 }),
      [
        'spec.replicas Invalid',
        'spec.minReadySeconds Invalid',
        'spec.revisionHistoryLimit Invalid',
        'spec.progressDeadlineSeconds Invalid',
        'spec.progressDeadlineSeconds Invalid',
      ],
    ],
    [
      'a deadline before pods can be ready',
      spec({ minReadySeconds: 10, progressDeadlineSeconds: 10 }),
      ['spec.progressDeadlineSeconds Invalid'],
    ],
    ['an unknown strategy', spec({ strategy: { type: 'Fast' } }), ['spec.strategy NotSupported']],
    [
      'steps where there are none',
      spec({ strategy: { type: 'Recreate', rollingUpdate: {} } }),
      [`${rolling} Forbidden`],
    ],
    [
      'no step at all',
      spec({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }),
      [`${rolling}.maxUnavailable Invalid`],
    ],
    [
      'odd percentages',
      spec({ strategy: { rollingUpdate: { maxSurge: '10', maxUnavailable: '101%' } } }),
      [`${rolling}.maxSurge Invalid`, `${rolling}.maxUnavailable Invalid`],
    ],
  ]);
  updates(deployment, [
    ['more replicas', spec(), (next) => Object.assign(next.spec, { replicas: 3 }), []],
    ['another selector', spec(), (next) => Object.assign(next.spec, other), ['spec.selector Invalid']],
    [
      'more parts than the whole',
      spec(),
      (next) =>
        Object.assign(next, { status: { replicas: 1, updatedReplicas: 3, readyReplicas: 2, availableReplicas: 3 } }),
      [
        'status.updatedReplicas Invalid',
        'status.readyReplicas Invalid',
        'status.availableReplicas Invalid',
        'status.availableReplicas Invalid',
      ],
      'status',
    ],
  ]);

  test('gets its defaults', async () => {
    const { object } = await tryCreate(deployment, sample(deployment, spec()));
    expect(object.spec).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    });
  });

  const to = (revision: string) => ({ 'deprecated.deployment.rollback.to': revision });
  test.each([
    ['3', to('3')],
    ['+03', to('3')],
    ['', undefined],
  ])('keeps the revision %j to go back to as a number', async (revision, kept) => {
    const { object } = await tryCreate(deployment, sample(deployment, spec(), { annotations: to(revision) }));
    expect(object.metadata.annotations).toEqual(kept);
  });

  test('goes back to no revision before the first', async () => {
    const { causes } = await tryCreate(deployment, sample(deployment, spec(), { annotations: to('-1') }));
    expect(causes).toEqual(['spec.rollback.version Invalid']);
  });

  test('has the revision to go back to in its spec: a status does not set it, and metadata alone does not show it', async () => {
    const { object } = await tryCreate(deployment, sample(deployment, spec(), { annotations: to('3') }));
    const annotate = (next: Reached) => Object.assign(next.metadata, { annotations: { a: 'b', ...to('4') } });
    const told = await tryUpdate(deployment, object, annotate, { subresource: 'status' });
    expect(told.object.metadata.annotations).toEqual({ a: 'b', ...to('3') });
    expect(ownMetadata({ ...told.object, apiVersion: 'apps/v1' }).annotations).toEqual({ a: 'b' });
  });

  test('is of a new generation by its annotations too, not by its labels', () => {
    const before = sample(deployment, spec());
    const with_ = (metadata: object) => ({ ...before, metadata: { ...before.metadata, ...metadata } });
    expect(deployment.generationRises?.(with_({ annotations: { a: 'b' } }), before)).toBe(true);
    expect(deployment.generationRises?.(with_({ labels: { a: 'b' } }), before)).toBe(false);
  });
});

describe('ReplicaSet', () => {
  creations(replicaSet, [
    ['what it needs', spec(), []],
    [
      'no selector',
      spec({ selector: undefined, replicas: -1 }),
      ['spec.replicas Invalid', 'spec.selector Required', `${labelsAt} Invalid`],
    ],
  ]);
  updates(replicaSet, [
    ['another template', spec(), (next) => Object.assign(next.spec, { template: template({ app: 'x', b: 'c' }) }), []],
    [
      'another selector, told with what is wrong of it twice',
      spec(),
      (next) => Object.assign(next.spec, { selector: { matchLabels: { app: 'q' } } }),
      [`${labelsAt} Invalid`, `${labelsAt} Invalid`, 'spec.selector Invalid'],
    ],
  ]);
});

describe('StatefulSet', () => {
  test('is selected by what none has', () => {
    expect(statefulSet.selectable?.['status.successful']?.(sample(statefulSet))).toBe('');
  });

  creations(statefulSet, [
    ['what it needs', spec({ serviceName: 's' }), []],
    ['no service', spec(), []],
    [
      'unknown policies',
      spec({ podManagementPolicy: 'Any', updateStrategy: { type: 'Fast' }, replicas: -1 }),
      ['spec.podManagementPolicy Invalid', 'spec.updateStrategy Invalid', 'spec.replicas Invalid'],
    ],
    [
      'steps where there are none',
      spec({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
      ['spec.updateStrategy.rollingUpdate Invalid'],
    ],
    [
      'a negative partition',
      spec({ updateStrategy: { rollingUpdate: { partition: -1 } } }),
      ['spec.updateStrategy.rollingUpdate.partition Invalid'],
    ],
  ]);
  updates(statefulSet, [
    [
      'what may change',
      spec(),
      (next) => Object.assign(next.spec, { replicas: 4, minReadySeconds: 3, template: template({ app: 'x', b: 'c' }) }),
      [],
    ],
    ['its service', spec(), (next) => Object.assign(next.spec, { serviceName: 'other' }), ['spec Forbidden']],
    [
      'less than nothing, told twice',
      spec(),
      (next) => Object.assign(next.spec, { replicas: -1 }),
      ['spec.replicas Invalid', 'spec.replicas Invalid'],
    ],
    [
      'counts that cannot be',
      spec(),
      (next) => Object.assign(next, { status: { replicas: -1, readyReplicas: 5 } }),
      [
        'status.replicas Invalid',
        'status.readyReplicas Invalid',
        'status.currentReplicas Invalid',
        'status.updatedReplicas Invalid',
        'status.availableReplicas Invalid',
      ],
      'status',
    ],
  ]);

  test('its claims are filled as claims are', async () => {
    const claims = [{ metadata: { name: 'v' }, spec: { resources: { requests: { storage: '1Gi' } } } }];
    const { object } = await tryCreate(statefulSet, sample(statefulSet, spec({ volumeClaimTemplates: claims })));
    expect(object.spec).toMatchObject({
      volumeClaimTemplates: [
        {
          kind: 'PersistentVolumeClaim',
          apiVersion: 'v1',
          spec: { volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
        },
      ],
    });
  });
});

test.each([
  ['no type', {}, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }],
  ['a type alone', { type: 'RollingUpdate' }, { type: 'RollingUpdate' }],
  ['steps', { type: 'RollingUpdate', rollingUpdate: {} }, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }],
])('the strategy of a StatefulSet with %s', (_title, updateStrategy, filled) => {
  const set = sample(statefulSet, spec({ updateStrategy }));
  statefulSet.default?.(set);
  expect(set).toMatchObject({ spec: { updateStrategy: filled } });
  expect(Object.keys((set as { spec?: { updateStrategy?: object } }).spec?.updateStrategy ?? {}).sort()).toEqual(
    Object.keys(filled).sort(),
  );
});

describe('DaemonSet', () => {
  const rolling = 'spec.updateStrategy.rollingUpdate';
  const strategy = (rollingUpdate: object) => spec({ updateStrategy: { rollingUpdate } });
  creations(daemonSet, [
    ['what it needs', spec(), []],
    ['no selector', spec({ selector: undefined }), [`${labelsAt} Invalid`]],
    ['no step at all', strategy({ maxUnavailable: 0 }), [`${rolling}.maxUnavailable Required`]],
    ['steps both ways', strategy({ maxUnavailable: 1, maxSurge: 1 }), [`${rolling}.maxSurge Invalid`]],
    ['a text that holds a number', strategy({ maxUnavailable: '-1' }), [`${rolling}.maxUnavailable Invalid`]],
    ['an unknown strategy', spec({ updateStrategy: { type: 'Fast' } }), ['spec.updateStrategy NotSupported']],
  ]);
  test.each([
    ['5', true],
    ['-1', true],
    ['+05', true],
    ['', false],
    [' 5', false],
    ['1.5', false],
    ['9223372036854775808', false],
  ])('reads its old field from the annotation %j: %s', (text, readable) => {
    const metadata = { annotations: { 'deprecated.daemonset.template.generation': text } };
    expect(daemonSet.unreadable?.(sample(daemonSet, spec(), metadata)) === undefined).toBe(readable);
    // A Deployment has such a field as well, but none where the text is empty.
    const rollback = { annotations: { 'deprecated.deployment.rollback.to': text } };
    expect(deployment.unreadable?.(sample(deployment, spec(), rollback)) === undefined).toBe(readable || text === '');
  });

  updates(daemonSet, [
    ['another selector', spec(), (next) => Object.assign(next.spec, other), ['spec.selector Invalid']],
  ]);

  test('counts the versions of its template', async () => {
    const name = 'deprecated.daemonset.template.generation';
    const { object } = await tryCreate(daemonSet, sample(daemonSet, spec()));
    expect(object.metadata.annotations).toEqual({ [name]: '1' });
    const same = await tryUpdate(daemonSet, object, (next) => Reflect.deleteProperty(next.metadata, 'annotations'));
    expect(same.object.metadata.annotations).toEqual({ [name]: '1' });
    const changed = await tryUpdate(daemonSet, object, (next) =>
      Object.assign(next.spec.template.spec, { hostNetwork: true }),
    );
    expect(changed.object.metadata.annotations).toEqual({ [name]: '2' });
    const told = await tryUpdate(
      daemonSet,
      changed.object,
      (next) => Reflect.deleteProperty(next.metadata, 'annotations'),
      { subresource: 'status' },
    );
    expect(told.object.metadata.annotations).toEqual({ [name]: '2' });
  });
});

describe('ControllerRevision', () => {
  creations(controllerRevision, [
    ['nothing', {}, ['data Required']],
    ['before the first', { data: {}, revision: -1 }, ['revision Invalid']],
  ]);
  updates(controllerRevision, [
    ['its number', { data: { a: 1 } }, (next) => Object.assign(next, { revision: 2 }), []],
    ['what it keeps', { data: { a: 1 } }, (next) => Object.assign(next, { data: {} }), ['data Invalid']],
  ]);
});

describe.each([deployment, statefulSet, daemonSet])('collisions of a $kind', (kind) => {
  const counted = { ...spec(), status: { collisionCount: 2 } };
  const count = (collisionCount?: number) => (next: Reached) =>
    Object.assign(next, { status: { ...next.status, collisionCount } });
  updates(kind, [
    ['more', counted, count(3), [], 'status'],
    ['as many', counted, count(2), [], 'status'],
    ['fewer', counted, count(1), ['status.collisionCount Invalid'], 'status'],
    ['forgotten', counted, count(), ['status.collisionCount Invalid'], 'status'],
    ['the first', spec(), count(0), [], 'status'],
  ]);
});

describe('the tables', () => {
  test('of deployments', () => {
    const object = sample(deployment, {
      ...spec({ replicas: 3 }),
      status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
    });
    expect(deployment.table?.cells(object, 0)).toEqual(['x', '2/3', 3, 1, '<unknown>', 'c', 'i', 'app=x']);
  });

  test('of revisions name their owner', () => {
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true }];
    const object = sample(controllerRevision, { revision: 3 }, { ownerReferences });
    expect(controllerRevision.table?.cells(object, 0).slice(1, 3)).toEqual(['statefulset.apps/web', 3]);
  });
});
