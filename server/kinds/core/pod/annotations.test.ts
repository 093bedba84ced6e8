import { describe, expect, test } from 'vitest';
import { statefulSet } from '../../apps/stateful-set.ts';
import { sample, tryCreate, tryUpdate } from '../../kind-write.fixture.ts';
import { type PodTemplate, podTemplate } from '../pod-template/pod-template.ts';
import { container } from './pod.fixture.ts';
import { pod } from './pod.ts';
import type { Pod, PodSpec } from './shape.ts';
import { podWarnings } from './warnings.ts';

type Annotations = Record<string, string>;

const cost = 'controller.kubernetes.io/pod-deletion-cost';
const tolerations = 'scheduler.alpha.kubernetes.io/tolerations';
const armor = 'container.apparmor.security.beta.kubernetes.io/';
const ofPod = 'seccomp.security.alpha.kubernetes.io/pod';
const ofContainer = 'container.seccomp.security.alpha.kubernetes.io/';
const mirror = 'kubernetes.io/config.mirror';

const plain: PodSpec = { containers: [container] };
const make = (annotations: Annotations, spec = plain) => sample(pod, { spec }, { annotations });

const table: readonly [Annotations, readonly string[]][] = [
  [{ 'example.com/any': 'x' }, []],
  [{ [cost]: '0' }, []],
  [{ [cost]: '-2147483648' }, []],
  ...['', '+1', '008', '1.5', '2147483648', 'cheap'].map(
    (text) => [{ [cost]: text }, [`[${cost}] Invalid`]] as [Annotations, string[]],
  ),
  [{ [tolerations]: '' }, []],
  [{ [tolerations]: '[{"key":"a","operator":"Exists"}]' }, []],
  [{ [tolerations]: '[{"key":"a","operator":"Is"}]' }, [`.${tolerations}[0].operator NotSupported`]],
  [{ [tolerations]: '{' }, [' Invalid']],
  [{ [tolerations]: '[1]' }, [' Invalid']],
  [{ [tolerations]: '[{"key":1}]' }, [' Invalid']],
  [{ [tolerations]: 'null' }, []],
  [{ [`${armor}c`]: 'runtime/default' }, []],
  [{ [`${armor}c`]: 'localhost/mine' }, []],
  [{ [`${armor}d`]: 'unconfined' }, [`[${armor}d] Invalid`]],
  [{ [`${armor}c`]: 'mine' }, [`[${armor}c] Invalid`]],
  [{ [ofPod]: 'runtime/default', [`${ofContainer}c`]: 'docker/default' }, []],
  [{ [ofPod]: 'strict' }, [`.${ofPod} Invalid`]],
  [{ [`${ofContainer}c`]: 'localhost/../up' }, [`.${ofContainer}c Invalid`]],
];

describe('what annotations say is checked', () => {
  const at = (place: string, causes: readonly string[]) => causes.map((cause) => place + cause);

  test.each(table)('of a pod: %j', async (annotations, causes) => {
    const { causes: found } = await tryCreate(pod, make(annotations));
    // What became of them in the fields is told as well.
    const inAnnotations = found.filter((cause) => !cause.startsWith('spec.'));
    expect(inAnnotations).toEqual(at('metadata.annotations', causes));
  });

  test.each(table)('of templates: %j', async (annotations, causes) => {
    const template = { metadata: { annotations, labels: { a: 'b' } }, spec: plain };
    const alone = await tryCreate(podTemplate, sample(podTemplate, { template }));
    expect(alone.causes).toEqual(at('template.annotations', causes));
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    const inSet = await tryCreate(statefulSet, sample(statefulSet, { spec }));
    expect(inSet.causes).toEqual(at('spec.template.annotations', causes));
  });
});

describe('what a pod is confined to, and that it is a mirror, stays', () => {
  const confined = { [`${armor}c`]: 'runtime/default', other: '1' };
  const here = `metadata.annotations[${armor}c] Forbidden`;
  const mirrored = `metadata.annotations[${mirror}] Forbidden`;

  test.each<[string, Annotations, Annotations, readonly string[]]>([
    ['other annotations change', confined, { ...confined, other: '2' }, []],
    ['changed', confined, { ...confined, [`${armor}c`]: 'unconfined' }, [here]],
    ['removed', confined, {}, [here]],
    ['added', {}, confined, [here]],
    ['added as a mirror', {}, { [mirror]: 'x' }, [mirrored]],
  ])('%s', async (_, before, annotations, causes) => {
    const bound = { ...plain, nodeName: 'n' };
    const { object } = await tryCreate(pod, make(before, bound));
    for (const options of [{}, { subresource: 'status' }]) {
      const annotate = (next: { metadata: { annotations: Annotations } }) => {
        next.metadata.annotations = annotations;
      };
      const { causes: found } = await tryUpdate(pod, object, annotate, options);
      expect(found).toEqual(causes);
    }
  });
});

test.each<[string, object | undefined, string[]]>([
  ['unconfined', { type: 'Unconfined' }, []],
  ['docker/default', { type: 'RuntimeDefault' }, []],
  ['unconfined', { type: 'RuntimeDefault' }, ['type Forbidden']],
  ['localhost/a', { type: 'Localhost', localhostProfile: 'a' }, []],
  ['localhost/a', { type: 'Localhost', localhostProfile: 'b' }, ['localhostProfile Forbidden']],
  ['unconfined', { type: 'Localhost', localhostProfile: 'b' }, ['type Forbidden']],
])('a new pod that is %s by annotation cannot be %j', async (annotation, seccompProfile, causes) => {
  const annotations = { [ofPod]: annotation, [`${ofContainer}c`]: annotation };
  const securityContext = { seccompProfile } as object;
  const object = make(annotations, { securityContext, containers: [{ ...container, securityContext }] });
  expect((await tryCreate(pod, object)).causes).toEqual(
    ['spec', 'spec.containers[0]'].flatMap((at) =>
      causes.map((cause) => `${at}.securityContext.seccompProfile.${cause}`),
    ),
  );
});

test('a new pod says in its fields what only its seccomp annotations say', async () => {
  const own = { securityContext: { seccompProfile: { type: 'Unconfined' } } };
  const spec = {
    containers: ['c', 'd', 'e'].map((name) => ({ ...container, name, ...(name === 'd' && own) })),
    initContainers: [{ ...container, name: 'i' }],
  };
  const annotations = {
    [ofPod]: 'docker/default',
    [`${ofContainer}c`]: 'unconfined',
    [`${ofContainer}d`]: 'runtime/default',
    [`${ofContainer}i`]: 'localhost/mine.json',
  };
  const object = (await tryCreate(pod, make(annotations, spec))).object as Pod;
  expect(object.metadata.annotations).toEqual(annotations);
  expect(object.spec?.securityContext).toEqual({ seccompProfile: { type: 'RuntimeDefault' } });
  const profiles = [...(object.spec?.containers ?? []), ...(object.spec?.initContainers ?? [])].map(
    ({ securityContext }) => securityContext?.seccompProfile,
  );
  expect(profiles).toEqual([
    { type: 'Unconfined' },
    { type: 'Unconfined' },
    undefined,
    { type: 'Localhost', localhostProfile: 'mine.json' },
  ]);
  expect(podWarnings(object)).toEqual([]);
});

test('old annotations are commented on', () => {
  const annotations = {
    'scheduler.alpha.kubernetes.io/critical-pod': '',
    [ofPod]: 'unconfined',
    [`${ofContainer}c`]: 'unconfined',
    [`${ofContainer}gone`]: 'unconfined',
  };
  expect(podWarnings({ metadata: { annotations }, spec: plain }).map((text) => text.split(': ')[0])).toEqual([
    'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]',
    `metadata.annotations[${ofPod}]`,
    `metadata.annotations[${ofContainer}c]`,
  ]);
});

test('what once stood for init containers is dropped, from templates too', async () => {
  const old = {
    'pod.beta.kubernetes.io/init-containers': '[]',
    'pod.alpha.kubernetes.io/init-container-statuses': '[]',
  };
  expect((await tryCreate(pod, make({ ...old, a: 'b' }))).object.metadata.annotations).toEqual({ a: 'b' });
  expect((await tryCreate(pod, make(old))).object.metadata.annotations).toBeUndefined();
  const template = { metadata: { annotations: old }, spec: plain };
  const { object } = await tryCreate(podTemplate, sample(podTemplate, { template }));
  expect((object as PodTemplate).template?.metadata).toEqual({});
});
