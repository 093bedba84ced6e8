import { describe, expect, test } from 'vitest';
import { tryUpdate } from '../../kind-write.fixture.ts';
import type { Reached } from '../../write-tables.fixture.ts';
import { created, spec } from './pod.fixture.ts';
import { pod } from './pod.ts';
import type { Pod } from './shape.ts';

const doubled = (...causes: string[]) => [...causes, ...causes];

const updates: readonly [string, (next: Reached) => void, readonly string[]][] = [
  [
    'an image',
    ({ spec: { containers } }) => {
      containers[0].image = 'i:2';
    },
    [],
  ],
  [
    'a blank for an image',
    ({ spec: { containers } }) => {
      containers[0].image = ' ';
    },
    doubled('spec.containers[0].image Invalid'),
  ],
  [
    'an earlier deadline',
    (next) => {
      next.spec.activeDeadlineSeconds = 50;
    },
    [],
  ],
  [
    'a later deadline',
    (next) => {
      next.spec.activeDeadlineSeconds = 200;
    },
    ['spec.activeDeadlineSeconds Invalid'],
  ],
  [
    'no deadline any more',
    (next) => {
      delete next.spec.activeDeadlineSeconds;
    },
    ['spec.activeDeadlineSeconds Invalid'],
  ],
  [
    'no deadline any more, and a node',
    (next) => {
      delete next.spec.activeDeadlineSeconds;
      next.spec.nodeName = 'n';
    },
    ['spec.activeDeadlineSeconds Invalid', 'spec Forbidden'],
  ],
  [
    'one more toleration',
    (next) => {
      next.spec.tolerations.push({ key: 'b', operator: 'Exists' });
    },
    [],
  ],
  [
    'a toleration less',
    (next) => {
      next.spec.tolerations = [];
    },
    ['spec.tolerations Forbidden'],
  ],
  [
    'a toleration less, and a node',
    (next) => {
      next.spec.tolerations = [];
      next.spec.nodeName = 'n';
    },
    ['spec.tolerations Forbidden', 'spec Forbidden'],
  ],
  [
    'a later deadline, and a node',
    (next) => {
      next.spec.activeDeadlineSeconds = 200;
      next.spec.nodeName = 'n';
    },
    ['spec.activeDeadlineSeconds Invalid'],
  ],
  [
    'an image with a blank behind it',
    (next) => {
      next.spec.containers[0].image = 'i ';
    },
    ['spec.containers[0].image Invalid', 'spec.containers[0].image Invalid'],
  ],
  [
    'a longer toleration',
    (next) => {
      next.spec.tolerations[0].tolerationSeconds = 9;
    },
    [],
  ],
  [
    'a node',
    (next) => {
      next.spec.nodeName = 'n';
    },
    ['spec Forbidden'],
  ],
  [
    'a command',
    (next) => {
      next.spec.containers[0].command = ['a'];
    },
    ['spec Forbidden'],
  ],
  [
    'another container',
    (next) => {
      next.spec.containers.push({ name: 'd', image: 'i' });
    },
    ['spec.containers Forbidden'],
  ],
  [
    'a bad node name, told twice',
    (next) => {
      next.spec.nodeName = 'A_';
    },
    [...doubled('spec.nodeName Invalid'), 'spec Forbidden'],
  ],
];

describe('a change of a pod', () => {
  const stored = () =>
    created(
      spec({
        activeDeadlineSeconds: 100,
        tolerations: [{ key: 'a', effect: 'NoExecute', operator: 'Exists', tolerationSeconds: 5 }],
      }),
    );

  test.each(updates)('%s', async (_title, change, causes) => {
    expect((await tryUpdate(pod, await stored(), change)).causes).toEqual(causes);
  });

  test('through its status leaves spec and owners alone, and pairs the addresses', async () => {
    const { object } = await tryUpdate(
      pod,
      await stored(),
      (next) => {
        next.spec.nodeName = 'n';
        next.metadata.ownerReferences = [{ kind: 'X' }];
        next.metadata.deletionTimestamp = '2020-01-01T00:00:00Z';
        next.status.podIP = '10.1.1.1';
      },
      { subresource: 'status' },
    );
    expect(object.metadata.ownerReferences).toBeUndefined();
    expect(object.metadata.deletionTimestamp).toBeUndefined();
    expect((object as Pod).spec?.nodeName).toBeUndefined();
    expect((object as Pod).status?.podIPs).toEqual([{ ip: '10.1.1.1' }]);
  });

  test('ephemeral containers look into any others but ephemeral ones', async () => {
    const from = await created(spec({ initContainers: [{ name: 'i', image: 'i' }] }));
    const targets = ['c', 'i', 'e0', 'd'];
    const { causes } = await tryUpdate(
      pod,
      from,
      (next) => {
        next.spec.ephemeralContainers = targets.map((targetContainerName, at) => ({
          name: `e${at}`,
          image: 'i',
          targetContainerName,
        }));
      },
      { subresource: 'ephemeralcontainers' },
    );
    expect(causes).toEqual([2, 3].map((at) => `spec.ephemeralContainers[${at}].targetContainerName NotFound`));
  });

  test('an ephemeral container joins, but not under a name that is taken, and does not change', async () => {
    const add = (name: string, stand: Pod | Promise<Pod>) =>
      Promise.resolve(stand).then((from) =>
        tryUpdate(pod, from, (next) => (next.spec.ephemeralContainers = [{ name, image: 'i' }]), {
          subresource: 'ephemeralcontainers',
        }),
      );
    const added = await add('e', stored());
    expect(added.causes).toEqual([]);
    expect((await add('c', stored())).causes).toEqual(['spec.ephemeralContainers[0].name Duplicate']);
    expect((await add('f', added.object as Pod)).causes).toEqual(['spec.ephemeralContainers Forbidden']);
  });

  test('a container that ended for good does not run again', async () => {
    const ended = await created(spec({ restartPolicy: 'Never' }));
    ended.status = { containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 1 } } }] };
    const { causes } = await tryUpdate(
      pod,
      ended,
      (next) => {
        next.status.containerStatuses[0].state = { running: {} };
      },
      { subresource: 'status' },
    );
    expect(causes).toEqual(['status.containerStatuses[0].state Forbidden']);
  });

  test('one that has ended is told where it stood, and one that looks into the pod never runs again', async () => {
    const ended = await created(spec({ restartPolicy: 'OnFailure' }));
    const end = (name: string, exitCode: number) => ({ name, state: { terminated: { exitCode } } });
    ended.status = { containerStatuses: [{ name: 'o' }, end('c', 0)], ephemeralContainerStatuses: [end('e', 1)] };
    const { causes } = await tryUpdate(
      pod,
      ended,
      (next) => {
        next.status.containerStatuses = [{ name: 'c', state: {} }];
        next.status.ephemeralContainerStatuses = [{ name: 'e', state: {} }];
      },
      { subresource: 'status' },
    );
    expect(causes).toEqual([
      'status.containerStatuses[1].state Forbidden',
      'status.ephemeralContainerStatuses[0].state Forbidden',
    ]);
  });

  test('an address cannot be told twice', async () => {
    const { causes } = await tryUpdate(
      pod,
      await stored(),
      (next) => {
        next.status.podIPs = [{ ip: '10.1.1.1' }, { ip: 'fd00::1' }, { ip: '10.1.1.1' }];
      },
      { subresource: 'status' },
    );
    expect(causes).toEqual(['status.podIPs Invalid', 'status.podIPs[2] Duplicate']);
  });

  test('an ephemeral container has no blanks around its image', async () => {
    const { causes } = await tryUpdate(
      pod,
      await stored(),
      (next) => {
        next.spec.ephemeralContainers = [{ name: 'e', image: ' i' }];
      },
      { subresource: 'ephemeralcontainers' },
    );
    expect(causes).toEqual(['spec.ephemeralContainers[0].image Invalid']);
  });
});
