import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { timeOf } from '../../verbs/moment.ts';
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

/** What is wrong with a node by its own word, and the taint that keeps pods away meanwhile. */
const troubles: Readonly<Record<string, string>> = {
  MemoryPressure: 'memory-pressure',
  DiskPressure: 'disk-pressure',
  PIDPressure: 'pid-pressure',
  NetworkUnavailable: 'network-unavailable',
};

/** A node that is to take no pods, or that cannot as it says, has taints that say so, as long as it is so. */
export async function tellsCordoned(context: RuleContext): Promise<void> {
  const { nodes, waitUntil, longPatience } = context;
  const name = nameOf(await nodes.create({ spec: elsewhere }));
  const become = async (unschedulable: true | null, status: 'True' | 'False'): Promise<void> => {
    await nodes.merge(name, { spec: { unschedulable } });
    const conditions = Object.keys(troubles).map((type) => ({ type, status, lastTransitionTime: timeOf() }));
    await nodes.merge(name, { status: { conditions } }, 'status');
  };
  const told = async (): Promise<readonly string[]> => {
    const taints: readonly Json[] = (await nodes.read(name)).spec.taints ?? [];
    return taints.filter(({ effect }) => effect === 'NoSchedule').map(({ key: own }) => own);
  };
  const those = ['unschedulable', ...Object.values(troubles)].map((each) => `node.kubernetes.io/${each}`);
  const limit = { limit: longPatience };
  await become(true, 'True');
  await waitUntil('it is told why it takes no pods', told, (keys) => those.every((each) => keys.includes(each)), limit);
  await become(null, 'False');
  // Who cares for the routes of a cloud finds none to this node, and may say so again.
  const gone = those.filter((each) => !each.endsWith('network-unavailable'));
  await waitUntil('it takes pods again', told, (keys) => !gone.some((each) => keys.includes(each)), limit);
}
