import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { nameOf } from '../../verbs/states.ts';
import { comesAnew } from './failed-pods.ts';
import { elsewhere, unscheduled } from './node-play.ts';
import { startWorkload } from './own-pods.ts';

/** The names of the nodes that a pod may be on, as those who make pods of nodes say it. */
const nodesOf = ({ spec }: Json): readonly string[] =>
  (spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).flatMap(
    ({ matchFields = [] }: Json) => matchFields.flatMap(({ values }: Json) => values),
  );

const label = 'touchstone.example/daemons';

/** Nobody says of the nodes that they are ready. */
const anyway = { tolerations: [{ operator: 'Exists' }] };

/** Makes a node, and gives its name. */
const makeNode = async ({ nodes }: RuleContext, value: string): Promise<string> =>
  nameOf(await nodes.create({ metadata: { labels: { [label]: value } }, spec: elsewhere }));

/** What pods of daemons bear of nodes, whatever their template says. */
const alwaysBorne = [
  'not-ready NoExecute',
  'unreachable NoExecute',
  'disk-pressure NoSchedule',
  'memory-pressure NoSchedule',
  'pid-pressure NoSchedule',
  'unschedulable NoSchedule',
].map((each) => `node.kubernetes.io/${each}`);

const notBorne = ({ tolerations = [] }: Json): readonly string[] => {
  const borne = tolerations.map(({ key, effect }: Json) => `${key} ${effect}`);
  return alwaysBorne.filter((each) => !borne.includes(each));
};

/**
 * A DaemonSet has a pod on each node that its pods may be on, and on no other: also where nodes come to be so or no more, and
 * where one fails.
 */
export async function followsNodes(context: RuleContext): Promise<void> {
  const { daemonSets, deployments, nodes, pods, unique, waitUntil, longPatience, expect } = context;
  await preparePods(context);
  const kept = unique('nodes');
  const [one, other] = [await makeNode(context, kept), await makeNode(context, unique('others'))];
  const template = { spec: { ...unscheduled, ...anyway, nodeSelector: { [label]: kept } } };
  const { selector, template: whole } = deployments.sample({ spec: { template } }).spec;
  const set = await startWorkload(context, daemonSets, { selector, template: whole });
  const look = async () => (await set.own(pods)).flatMap(nodesOf).sort().join();
  const until = async (what: string, ...names: readonly string[]): Promise<void> => {
    await waitUntil(what, look, (seen) => seen === [...names].sort().join(), { limit: longPatience });
    await set.untilTold(what, ({ desiredNumberScheduled: wanted }) => wanted === names.length);
  };
  await until('one node has a pod', one);
  for (const { spec } of await set.own(pods)) expect(notBorne(spec), 'what a pod of daemons does not bear').toEqual([]);
  await nodes.merge(other, { metadata: { labels: { [label]: kept } } });
  await until('both nodes have a pod', one, other);
  await nodes.merge(one, { metadata: { labels: { [label]: 'none' } } });
  await until('the other node has a pod', other);
  await comesAnew(context, set);
  await until('the other node has a pod again', other);
}
