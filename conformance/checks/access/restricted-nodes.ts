import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { elsewhere } from '../pods/node-play.ts';
import { allowEverywhere } from './permissions.ts';

const isolating = 'node-restriction.kubernetes.io/a';
const labels = (some: Json): Json => ({ metadata: { labels: some } });
const taint = { key: 'example.com/a', effect: 'NoSchedule' };

/** By a few words, what an agent changes of its own node: that, and whether it may. */
const changes: Readonly<Record<string, readonly [Json, 200 | 403]>> = {
  'a label of its own': [labels({ 'example.com/a': 'b' }), 200],
  'a label for agents': [labels({ 'kubelet.kubernetes.io/a': 'b', 'a.node.kubernetes.io/b': 'c' }), 200],
  'where it stands': [labels({ 'topology.kubernetes.io/zone': 'a' }), 200],
  'that it takes no more pods': [{ spec: { unschedulable: true } }, 200],
  'the label that sets it apart': [labels({ [isolating]: 'other' }), 403],
  'that nothing sets it apart': [labels({ [isolating]: null }), 403],
  'another label that would set it apart': [labels({ 'a.node-restriction.kubernetes.io/b': 'c' }), 403],
  'another label of the project': [labels({ 'kubernetes.io/a': 'b' }), 403],
  'a label of a part of the project': [labels({ 'a.k8s.io/b': 'c' }), 403],
  'one more taint': [{ spec: { taints: [taint, { ...taint, key: 'example.com/b' }] } }, 403],
  'that it has no taints': [{ spec: { taints: null } }, 403],
};

/** What an agent may not do to the node of another, nor to set its own apart. */
async function restrictsToOwn(
  { nodes, unique, expect }: RuleContext,
  theirs: Collection,
  [name, other]: readonly [string, string],
): Promise<void> {
  const set = nodes.sample({ metadata: { name: unique('node'), labels: { [isolating]: 'a' } } });
  const apart = { 'node-restriction.kubernetes.io/b': 'c' };
  const beyond = {
    'the node of another': await theirs.patch(other, labels({ 'example.com/a': 'b' })),
    'an apply to the node of another': await theirs.tryApply(other, labels({ 'example.com/a': 'b' }), 'agent'),
    'an apply of one more label that sets it apart': await theirs.tryApply(name, labels(apart), 'agent'),
    'the status of the node of another': await theirs.patch(other, { status: {} }, { sub: 'status' }),
    'an end of the node of another': await theirs.delete(other),
    'a node of another name': await theirs.post(set),
  };
  for (const [what, { status }] of Object.entries(beyond)) expect(status, what).toBe(403);
}

/** NodeRestriction: the agent of a node writes its own node alone, and not what sets it apart from others. */
export async function restrictsNodes(context: RuleContext): Promise<void> {
  const { nodes, unique, as, waitUntil, expect } = context;
  const name = unique('node');
  const user = `system:node:${name}`;
  const verbs = ['create', 'get', 'update', 'patch', 'delete'];
  await allowEverywhere(context, user, [
    { apiGroups: [''], resources: ['nodes', 'nodes/status'], verbs },
    { apiGroups: ['coordination.k8s.io', 'storage.k8s.io'], resources: ['leases', 'csinodes'], verbs },
  ]);
  const agent = as({ name: user, groups: ['system:nodes'] });
  const theirs = nodes.by(agent);
  const own = nodes.sample({ metadata: { name }, spec: { ...elsewhere, taints: [taint] } });
  const made = await waitUntil(
    'an agent may make its node',
    async () => (await theirs.post(own)).status,
    (status) => status !== 403,
  );
  expect(made, 'a node, by its agent').toBe(201);
  await nodes.merge(name, labels({ [isolating]: 'a' }));
  for (const [what, [parts, code]] of Object.entries(changes)) {
    const answer = await theirs.patch(name, parts);
    expect(answer.status, `${what}: ${said(answer)}`).toBe(code);
  }
  expect((await nodes.read(name)).metadata.labels, 'what sets it apart').toMatchObject({ [isolating]: 'a' });
  const other = nameOf(await nodes.create({ spec: elsewhere }));
  await restrictsToOwn(context, theirs, [name, other]);
  await restrictsNamesakes(context, agent, [name, other]);
  expect((await theirs.delete(name)).status, 'an end of its own node').toBe(200);
}

const dry = { dryRun: 'All' };

/** The namespace where nodes have their leases; a server that has just begun makes it a little later. */
async function placeOfLeases({ namespaces, waitUntil }: RuleContext): Promise<string> {
  const place = 'kube-node-lease';
  const look = async () => (await namespaces.get(place)).status;
  await waitUntil('the namespace of the leases of nodes is there', look, (status) => status === 200);
  return place;
}

/** What is called like a node, and is of its agent: the lease by which it says that it is there, and its drivers. */
async function restrictsNamesakes(
  context: RuleContext,
  agent: ReturnType<RuleContext['as']>,
  [own, other]: readonly [string, string],
): Promise<void> {
  const { leases, csiNodes, expect, later } = context;
  for (const objects of [leases.in(await placeOfLeases(context)), csiNodes]) {
    const { resource } = objects.at;
    const theirs = objects.by(agent);
    const made = (name: string) => theirs.post(objects.sample({ metadata: { name } }), dry);
    const answer = await made(own);
    expect(answer.status, `${resource} of the agent: ${said(answer)}`).toBe(201);
    expect((await made(other)).status, `${resource} of another`).toBe(403);
    later(() => objects.delete(other));
    await objects.create({ metadata: { name: other } });
    const writes = { 'a change': theirs.patch(other, labels({ a: 'b' })), 'an end': theirs.delete(other) };
    for (const [what, write] of Object.entries(writes))
      expect((await write).status, `${what} of ${resource} of another`).toBe(403);
  }
  const { status } = await leases.by(agent).post(leases.sample({ metadata: { name: own } }), dry);
  expect(status, 'a lease elsewhere').toBe(403);
}
