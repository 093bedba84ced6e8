import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { spec } from '../unfit/judged-kind.ts';

const balanced = { type: 'LoadBalancer', loadBalancerClass: 'touchstone.example/nobody' };
const named = { type: 'ExternalName', externalName: 'a.example.com' };

/** What a Service has of the cluster: an address, ports of the nodes, a port to be asked for its health. */
type Part = 'address' | 'node ports' | 'health';

interface Move {
  readonly from: Json;
  readonly to: Json;
  /** What it has then. */
  readonly has: readonly Part[];
}

const moves: Readonly<Record<string, Move>> = {
  'a Service that comes to be one of the nodes': { from: {}, to: { type: 'NodePort' }, has: ['address', 'node ports'] },
  'a Service of the nodes that is one of the cluster alone': {
    ...{ from: { type: 'NodePort' }, to: { type: 'ClusterIP' }, has: ['address'] },
  },
  'a balanced Service that leaves its nodes': {
    from: { ...balanced, externalTrafficPolicy: 'Local' },
    ...{ to: { externalTrafficPolicy: 'Cluster' }, has: ['address', 'node ports'] },
  },
  'a balanced Service that stays on its nodes from now on': {
    ...{ from: balanced, to: { externalTrafficPolicy: 'Local' }, has: ['address', 'node ports', 'health'] },
  },
  'a balanced Service that nobody balances': {
    from: { ...balanced, externalTrafficPolicy: 'Local' },
    ...{ to: { type: 'NodePort' }, has: ['address', 'node ports'] },
  },
  'a Service of the nodes that is but a name': { from: { type: 'NodePort' }, to: named, has: [] },
  'a name that comes to be a Service': {
    ...{ from: named, to: { type: 'ClusterIP', externalName: null }, has: ['address'] },
  },
};

const nodePortsOf = ({ ports }: Json): number[] =>
  (ports ?? []).flatMap(({ nodePort }: Json) => (nodePort ? [nodePort] : []));

/** Each thing that a Service has of the cluster, as another would ask for it. */
function holdings({ clusterIP, healthCheckNodePort, ...rest }: Json): Readonly<Record<Part, readonly string[]>> {
  return {
    address: clusterIP && clusterIP !== 'None' ? [clusterIP] : [],
    'node ports': nodePortsOf(rest).map(String),
    health: healthCheckNodePort ? [String(healthCheckNodePort)] : [],
  };
}

const asking = (part: Part, what: string): Json =>
  part === 'address'
    ? spec({ clusterIP: what })
    : spec({ type: 'NodePort', ports: [{ port: 80, nodePort: Number(what) }] });

/** What was given up is had by who asks for it, or by somebody who got it in between. */
async function isLetGo({ services, waitUntil }: RuleContext, part: Part, given: string, what: string): Promise<void> {
  const isHeld = ({ spec: its }: Json): boolean => Object.values(holdings(its)).flat().includes(given);
  const look = async (): Promise<boolean> => {
    const { status, body } = await services.post(services.sample(asking(part, given)));
    if (status === 201) await services.remove(nameOf(body));
    return status === 201 || (await services.viewed('everywhere').list()).items.some(isHeld);
  };
  await waitUntil(`${what}: its ${part}, ${given}, is free`, look, Boolean);
}

/** Where nobody balances a Service any more, its status tells of no balancer. */
async function losesBalancer({ services, expect }: RuleContext): Promise<void> {
  const name = nameOf(await services.create(spec({ ...balanced, ports: [{ port: 80 }] })));
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } };
  expect((await services.merge(name, { status }, 'status')).status, 'a Service with a balancer').toMatchObject(status);
  await services.merge(name, spec({ type: 'ClusterIP' }));
  expect((await services.read(name)).status.loadBalancer, 'a Service without one').toEqual({});
}

/** What a Service no longer needs of the cluster when it changes it gives up; it keeps the rest, and gets what it lacks. */
export async function changesServices(context: RuleContext): Promise<void> {
  const { services, expect } = context;
  for (const [what, { from, to, has }] of Object.entries(moves)) {
    const sample = services.sample(spec({ ports: ['a', 'b'].map((name, at) => ({ name, port: 80 + at })), ...from }));
    const made = await services.create({ spec: sample.spec });
    const answer = await services.patch(nameOf(made), spec(to));
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    const [before, after] = [holdings(made.spec), holdings((await services.read(nameOf(made))).spec)];
    for (const part of ['address', 'node ports', 'health'] as const) {
      const wanted = has.includes(part);
      if (wanted && before[part].length > 0) expect(after[part], `${what}: its ${part}`).toEqual(before[part]);
      else expect(after[part].length > 0, `${what}: its ${part}, ${after[part]}`).toBe(wanted);
      if (!wanted) for (const given of before[part]) await isLetGo(context, part, given, what);
    }
  }
  await losesBalancer(context);
  const gone = await services.create(spec({ type: 'NodePort' }));
  await services.remove(nameOf(gone));
  for (const part of ['address', 'node ports'] as const)
    for (const given of holdings(gone.spec)[part]) await isLetGo(context, part, given, 'a Service that is gone');
}
