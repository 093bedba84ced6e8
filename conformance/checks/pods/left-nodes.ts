import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { nameOf } from '../../verbs/states.ts';
import { elsewhere, nodeOfNobody } from './node-play.ts';

const key = 'touchstone.example/left';
const taint = { key, value: 'some', effect: 'NoExecute' };

/** Which pods may stay on a node that has the taint, by what they bear. */
const bearings: Readonly<Record<string, readonly [stays: boolean, tolerations: readonly Json[]]>> = {
  'one that bears nothing': [false, []],
  'one that bears another value': [false, [{ key, operator: 'Equal', value: 'other', effect: 'NoExecute' }]],
  'one that bears only to be kept away': [false, [{ key, operator: 'Exists', effect: 'NoSchedule' }]],
  'one that bears the taint': [true, [{ key, operator: 'Equal', value: 'some', effect: 'NoExecute' }]],
  'one that bears it for an hour': [true, [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3600 }]],
  'one that bears everything': [true, [{ operator: 'Exists' }]],
};

/** Pods go from a node that nothing may be on any more, but for those that bear its taint. */
export async function leavesTainted(context: RuleContext): Promise<void> {
  const { nodes, pods, waitUntil, longPatience, expect } = context;
  await preparePods(context);
  const nodeName = await nodeOfNobody(context);
  const names = new Map<string, string>();
  for (const [what, [, tolerations]] of Object.entries(bearings))
    names.set(what, nameOf(await pods.create({ spec: { nodeName, tolerations } })));
  await nodes.merge(nodeName, { spec: { taints: [taint] } });
  const goes = async (what: string): Promise<boolean> => {
    const { status, body } = await pods.get(names.get(what) ?? '');
    return status === 404 || body?.metadata?.deletionTimestamp !== undefined;
  };
  for (const [what, [stays]] of Object.entries(bearings))
    if (!stays) await waitUntil(`${what} goes`, () => goes(what), Boolean, { limit: longPatience });
  for (const [what, [stays]] of Object.entries(bearings))
    if (stays) expect(await goes(what), `${what} goes`).toBe(false);
}

const cordoned = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** A node that is to take no pods has a taint that says so, as long as it is. */
export async function tellsCordoned(context: RuleContext): Promise<void> {
  const { nodes, waitUntil, longPatience } = context;
  const name = nameOf(await nodes.create({ spec: elsewhere }));
  const isTold = ({ spec }: Json): boolean =>
    (spec.taints ?? []).some(({ key: own, effect }: Json) => own === cordoned.key && effect === cordoned.effect);
  const until = (what: string, accept: (node: Json) => boolean) =>
    waitUntil(what, () => nodes.read(name), accept, { limit: longPatience });
  await nodes.merge(name, { spec: { unschedulable: true } });
  await until('it is told that it takes no pods', isTold);
  await nodes.merge(name, { spec: { unschedulable: null } });
  await until('it takes pods again', (node) => !isTold(node));
}
