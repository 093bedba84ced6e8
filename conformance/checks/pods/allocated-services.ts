import { isIP } from 'node:net';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { untilStatus } from '../../verbs/until-status.ts';
import { spec } from '../unfit/judged-kind.ts';

const balanced = { type: 'LoadBalancer', loadBalancerClass: 'touchstone.example/nobody' };
const two = [
  { name: 'a', port: 80 },
  { name: 'b', port: 81 },
];

interface Sort {
  readonly parts: Json;
  /** Whether it has an address of its own in the cluster, ports of the nodes, and one to ask for its health. */
  readonly address?: boolean;
  readonly nodePorts?: boolean;
  readonly health?: boolean;
}

const sorts: Readonly<Record<string, Sort>> = {
  'a Service': { parts: {}, address: true },
  'a Service of the nodes': { parts: { type: 'NodePort' }, address: true, nodePorts: true },
  'a balanced Service': { parts: balanced, address: true, nodePorts: true },
  'a balanced Service without ports of the nodes': {
    parts: { ...balanced, allocateLoadBalancerNodePorts: false },
    address: true,
  },
  'a balanced Service that stays on its nodes': {
    parts: { ...balanced, externalTrafficPolicy: 'Local' },
    ...{ address: true, nodePorts: true, health: true },
  },
  'a Service without a head': { parts: { clusterIP: 'None' } },
  'another name': { parts: { type: 'ExternalName', externalName: 'a.example.com', selector: undefined } },
};

/** The address, the families and the ports of the nodes that a Service has. */
const heldBy = ({ clusterIP, clusterIPs, ipFamilies, ports, healthCheckNodePort }: Json): Json => ({
  ...{ clusterIP, clusterIPs, ipFamilies, healthCheckNodePort },
  nodePorts: (ports ?? []).map(({ nodePort }: Json) => nodePort),
});

/** A Service gets what it needs of the cluster, keeps it, and shares it with no other. */
export async function allocates(context: RuleContext): Promise<void> {
  const { services, expect } = context;
  const addresses = new Set<string>();
  const numbers = new Set<number>();
  for (const [what, { parts, address = false, nodePorts = false, health = false }] of Object.entries(sorts)) {
    const sent = services.sample(spec({ ports: two, ...parts }));
    const made = await services.post(sent);
    expect(made.status, `${what}: ${said(made)}`).toBe(201);
    const held = heldBy(made.body.spec);
    expect(isIP(held.clusterIP ?? '') > 0, `${what} has an address: ${held.clusterIP}`).toBe(address);
    if (address) {
      expect(held.clusterIPs, what).toEqual([held.clusterIP]);
      expect(held.ipFamilies, what).toEqual([held.clusterIP.includes(':') ? 'IPv6' : 'IPv4']);
      expect(addresses, `${what}: ${held.clusterIP} is its own`).not.toContain(held.clusterIP);
      addresses.add(held.clusterIP);
    }
    for (const port of held.nodePorts) {
      if (!nodePorts) expect(port ?? 0, `${what}: a port of the nodes`).toBe(0);
      else expect(port ?? 0, `${what}: a port of the nodes`).toBeGreaterThan(0);
      if (nodePorts) expect(numbers, `${what}: ${port} is its own`).not.toContain(port);
      numbers.add(port);
    }
    expect((held.healthCheckNodePort ?? 0) > 0, `${what}: a port to ask for its health`).toBe(health);
    const { name } = made.body.metadata;
    const again = await services.put({ ...sent, metadata: { name, labels: sent.metadata.labels } });
    expect(again.status, `${what}, replaced: ${said(again)}`).toBe(200);
    expect(heldBy((await services.read(name)).spec), `${what}, replaced by what it was made of`).toEqual(held);
  }
  await sharesPorts(context);
  await keepsPorts(context);
  await sharesNothing(context);
}

/** What is served on one number by several protocols has one port of the nodes for all of them. */
async function sharesPorts({ services, expect }: RuleContext): Promise<void> {
  const protocols = ['TCP', 'UDP'].map((protocol) => ({ name: protocol.toLowerCase(), port: 80, protocol }));
  const { ports } = (await services.create(spec({ type: 'NodePort', ports: [...protocols, two[1]] }))).spec;
  const [tcp, udp, other] = ports.map(({ nodePort }: Json) => nodePort);
  expect(udp, 'the port of the nodes of one number by another protocol').toBe(tcp);
  expect(other, 'that of another number').not.toBe(tcp);
}

const byName = ({ ports }: Json): Json =>
  Object.fromEntries(ports.map(({ name, nodePort }: Json) => [name, nodePort] as const));

/** A port is known by its name, wherever it stands, and keeps its port of the nodes. */
async function keepsPorts({ services, expect }: RuleContext): Promise<void> {
  const sent = services.sample(spec({ type: 'NodePort', ports: two }));
  const { metadata, spec: before } = await services.create({ spec: sent.spec });
  const turned = { ...sent, metadata: { name: metadata.name, labels: sent.metadata.labels } };
  const answer = await services.put({ ...turned, spec: { ...sent.spec, ports: two.toReversed() } });
  expect(answer.status, `ports in another order: ${said(answer)}`).toBe(200);
  expect(byName(answer.body.spec), 'the ports of the nodes, by the names of ports in another order').toEqual(
    byName(before),
  );
}

/** What is asked for and free is given; what another has is refused. */
async function sharesNothing(context: RuleContext): Promise<void> {
  const { services, expect } = context;
  const { spec: first } = await services.create(spec({ type: 'NodePort' }));
  for (const parts of [{ clusterIP: first.clusterIP }, { ports: [{ port: 80, nodePort: first.ports[0].nodePort }] }]) {
    const { status } = await services.post(services.sample(spec({ type: 'NodePort', ...parts })));
    expect(status, `${JSON.stringify(parts)}, which another has`).toBe(422);
  }
  await givesBackHealth(context);
}

/** The port to ask for its health is a Service's own as long as it is there; who is refused takes none. */
async function givesBackHealth(context: RuleContext): Promise<void> {
  const { services, expect } = context;
  const local = { ...balanced, externalTrafficPolicy: 'Local' };
  const { metadata, spec: held } = await services.create(spec(local));
  const asking = (more: Json = {}) =>
    services.post(services.sample(spec({ ...local, healthCheckNodePort: held.healthCheckNodePort, ...more })));
  // A genuine server calls it its own failure, 500, that it cannot give this port.
  expect((await asking()).status, 'the port for its health, which another has').toBeGreaterThanOrEqual(400);
  await services.remove(metadata.name);
  // Who cares for balancers of a cloud may have to let go of it first.
  await untilStatus(context, 'the Service is gone', 404, () => services.get(metadata.name));
  expect((await asking({ sessionAffinity: 'Other' })).status, 'a Service that is refused').toBe(422);
  const answered = await asking();
  expect(answered.status, `the port for its health, which nobody has: ${said(answered)}`).toBe(201);
}
