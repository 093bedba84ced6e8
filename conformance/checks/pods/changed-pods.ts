import type { Answer } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { image, preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';

const newer = 'registry.example/pause:2';
const toleration = { key: 'example.com/a', operator: 'Exists', effect: 'NoExecute' };

const base = {
  schedulerName: 'touchstone.example/nobody',
  initContainers: [{ name: 'first', image }],
  containers: ['one', 'two'].map((name) => ({ name, image })),
  terminationGracePeriodSeconds: 0,
  tolerations: [toleration],
};

const put = (path: string, value: Json): Json => ({ op: 'add', path, value });

/** What a pod that is there may become, one change after another. @param own the place of its own toleration */
const freeOf = (own: number): Readonly<Record<string, Json>> => ({
  'another image': put('/spec/containers/1/image', newer),
  'another image of what begins': put('/spec/initContainers/0/image', newer),
  'a time to run': put('/spec/activeDeadlineSeconds', 600),
  'less time to run': put('/spec/activeDeadlineSeconds', 599),
  'one toleration more': put('/spec/tolerations/-', { ...toleration, key: 'example.com/b' }),
  'a toleration for a time': put(`/spec/tolerations/${own}/tolerationSeconds`, 60),
});

/** What it may not: some of this might do for a new one. */
const fixedOf = (own: number): Readonly<Record<string, Json>> => ({
  'no image': put('/spec/containers/1/image', ''),
  'an image of what begins that is blank': put('/spec/initContainers/0/image', ' '),
  'a command': put('/spec/containers/0/command', ['true']),
  'a command of what begins': put('/spec/initContainers/0/command', ['true']),
  'one more that begins': put('/spec/initContainers/-', { name: 'more', image }),
  'more time to run': put('/spec/activeDeadlineSeconds', 600),
  'less than no time to run': put('/spec/activeDeadlineSeconds', -1),
  'time without an end': { op: 'remove', path: '/spec/activeDeadlineSeconds' },
  'more time to end': put('/spec/terminationGracePeriodSeconds', 1),
  'a toleration of another effect': put(`/spec/tolerations/${own}/effect`, 'NoSchedule'),
  'that it is a mirror pod': put('/metadata/annotations', { 'kubernetes.io/config.mirror': 'a' }),
  'the profile of AppArmor of a container': put('/metadata/annotations', {
    'container.apparmor.security.beta.kubernetes.io/one': 'runtime/default',
  }),
});

/** Of a pod that is there hardly anything may change; what may, does. */
export async function changesPods(context: RuleContext): Promise<void> {
  const { pods, expect } = context;
  await preparePods(context);
  const made = await pods.create({ spec: base });
  const name = nameOf(made);
  // A server may put tolerations of its namespace in front.
  const own = made.spec.tolerations.findIndex(({ key }: Json) => key === toleration.key);
  const change = (operation: Json): Promise<Answer> => pods.patch(name, [operation], { type: 'json' });
  for (const [what, operation] of Object.entries(freeOf(own))) {
    const answer = await change(operation);
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
  }
  const { spec } = await pods.read(name);
  const images = { containers: [{ image }, { image: newer }], initContainers: [{ image: newer }] };
  expect(spec, 'after all of that').toMatchObject({ ...images, activeDeadlineSeconds: 599 });
  expect(spec.tolerations, 'what it tolerates').toContainEqual({ ...toleration, tolerationSeconds: 60 });
  for (const [what, operation] of Object.entries(fixedOf(own)))
    expect((await change(operation)).status, what).toBe(422);
  expect((await pods.read(name)).spec, 'after what may not be').toEqual(spec);
  await agreesOnAddresses(context, name);
}

/** The one address of a pod is the first of several, whichever is told. */
async function agreesOnAddresses({ pods, expect }: RuleContext, name: string): Promise<void> {
  const [one, two] = ['10.77.0.1', '10.77.0.2'];
  for (const [told, podIP] of [
    [{ podIP: one }, one],
    [{ podIP: null, podIPs: [{ ip: two }] }, two],
    [{ podIP: one, podIPs: [{ ip: two }] }, one],
  ] as const) {
    const answered = await pods.patch(name, { status: told }, { sub: 'status' });
    const what = JSON.stringify(told);
    expect(answered.status, `${what}: ${said(answered)}`).toBe(200);
    expect(answered.body.status, what).toMatchObject({ podIP, podIPs: [{ ip: podIP }] });
  }
}
