import type { Answer } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { holds, nameOf } from '../../verbs/states.ts';
import { postsWhatBelongs } from '../requests/astray.ts';
import { bindingOf } from './pod-requests.ts';

const noted = { kept: 'by the pod', said: 'by the pod' };
const notes = { said: 'by the binding', more: 'by the binding' };

/** The two ways to bind a pod. */
const ways = {
  'its binding': ({ pods }, name, binding) => pods.postTo(name, 'binding', binding),
  'a binding of its namespace': ({ kind }, _, binding) =>
    kind({ group: '', version: 'v1', resource: 'bindings', kind: 'Binding', namespaced: true }).post(binding),
} satisfies Record<string, (context: RuleContext, name: string, binding: Json) => Promise<Answer>>;

/** A binding gives a pod its node, once, and what it notes beside that; all else of the pod stays. */
export async function bindsPods(context: RuleContext): Promise<void> {
  const { pods, expect } = context;
  await preparePods(context);
  const spec = { schedulerName: 'touchstone.example/nobody' };
  for (const [way, send] of Object.entries(ways)) {
    const made = await pods.create({ metadata: { annotations: noted }, spec });
    const name = nameOf(made);
    const meant = merged(bindingOf(name), { metadata: { annotations: notes } });
    const bind = (more: Json) => send(context, name, merged(meant, more));
    for (const [what, metadata] of Object.entries(others))
      expect((await bind({ metadata })).status, `${way}, meant for ${what}`).toBe(409);
    await postsWhatBelongs(expect, way, bind);
    const answer = await bind({});
    expect(answer.status, `${way}: ${said(answer)}`).toBe(201);
    isBound(context, { way, made, bound: await pods.read(name), node: meant.target.name });
    const again = await bind({ target: { name: 'touchstone-elsewhere' } });
    expect(again.status, `${way}, once more`).toBe(409);
    expect((await pods.read(name)).spec.nodeName, `its node after ${way} once more`).toBe(meant.target.name);
    await endsInTime(context, name);
  }
}

/** A pod that has a node is given time to end, also where somebody else let go of it only after its deletion. */
async function endsInTime({ pods, expect }: RuleContext, name: string): Promise<void> {
  await pods.merge(name, { metadata: { finalizers: ['example.com/one'] } });
  await pods.delete(name, { query: { gracePeriodSeconds: 30 } });
  await pods.merge(name, { metadata: { finalizers: null } });
  const { status, body } = await pods.get(name);
  expect(status, 'a pod that nobody holds any more, in its time to end').toBe(200);
  expect(body.metadata.deletionGracePeriodSeconds, 'its time').toBe(30);
  await pods.remove(name, { query: { gracePeriodSeconds: 0 } });
}

/** Of which pod of the name a binding says that it is, when it is another. */
const others = {
  'another pod of the name': { uid: '00000000-1111-2222-3333-444444444444' },
  'a pod as it was': { resourceVersion: '1' },
};

function isBound({ expect }: RuleContext, { way, made, bound, node }: Readonly<Record<string, Json>>): void {
  expect(bound.spec, `the pod by ${way}`).toEqual({ ...made.spec, nodeName: node });
  expect(bound.metadata.annotations, `what is noted by ${way}`).toMatchObject({ ...noted, ...notes });
  expect(bound.metadata.labels, `its labels by ${way}`).toEqual(made.metadata.labels);
  expect(holds('PodScheduled')(bound), `that it has a node, by ${way}`).toBe(true);
}
