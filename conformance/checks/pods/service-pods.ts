import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { preparePods } from '../../verbs/pods.ts';
import { nodeOfNobody, run } from './node-play.ts';

/** A Service with pods that the rule plays the node of. */
export interface ServedPods {
  readonly pods: readonly Json[];
  /** The name of the Service. */
  readonly service: string;
  /** The slices of the service, found by its label. */
  readonly slices: () => Promise<readonly Json[]>;
  /** Until the endpoint of the pod fits. */
  readonly until: (what: string, pod: Json, accept: (endpoint: Json) => boolean) => Promise<Json>;
}

/** The zone of their node. */
export const zoneOfPods = 'touchstone-nowhere';

/** What the Service says of what is spoken. */
export const appProtocol = 'touchstone.example/spoken';

/** Addresses that pods are given: nobody ever connects to them. */
const address = (index: number): string => `10.77.0.${index + 1}`;

/** Ports with other names beside that one, or of another protocol, and other containers before and behind it. */
const containers = (containerPort: number): readonly Json[] => [
  {
    ...{ name: 'beside', image: 'registry.example/pause:1' },
    ports: [
      { name: 'other', containerPort: 7070 },
      { name: 'http', containerPort: 5353, protocol: 'UDP' },
    ],
  },
  {
    ...{ name: 'main', image: 'registry.example/pause:1' },
    ports: [
      { name: 'metrics', containerPort: 6060 },
      { name: 'http', containerPort },
    ],
  },
  { name: 'behind', image: 'registry.example/pause:1' },
];

/**
 * Makes a Service and one running, ready pod for each container port, all with the port's name `http`. The pods are
 * bound to a node of the rule's own, so deleting them is graceful, and nobody ends them.
 */
export async function servePods(context: RuleContext, ports: readonly number[]): Promise<ServedPods> {
  const { services, pods, endpointSlices, unique, waitUntil, patience } = context;
  await preparePods(context);
  const [app, name] = [unique('app'), unique('service')];
  const nodeName = await nodeOfNobody(context, { 'topology.kubernetes.io/zone': zoneOfPods });
  const made: Json[] = [];
  for (const [index, containerPort] of ports.entries()) {
    // The first has a name below that of the Service.
    const named = { hostname: `front-${index}`, subdomain: index === 0 ? name : 'elsewhere' };
    const pod = await pods.create({
      metadata: { labels: { app } },
      // What has ended is no endpoint in any version where it does not begin again.
      spec: { ...named, nodeName, restartPolicy: 'Never', containers: containers(containerPort) },
    });
    made.push(await run(context, pod, { ip: address(index) }));
  }
  await services.create({
    metadata: { name },
    spec: { selector: { app }, ports: [{ name: 'http', port: 80, targetPort: 'http', appProtocol }] },
  });
  const labelSelector = `kubernetes.io/service-name=${name}`;
  const slices = async (): Promise<readonly Json[]> => (await endpointSlices.list({ labelSelector })).items;
  const endpointOf = async (pod: Json): Promise<Json> =>
    (await slices())
      .flatMap(({ endpoints }) => endpoints ?? [])
      .find(({ addresses }) => addresses?.includes(pod.status.podIP));
  return {
    pods: made,
    service: name,
    slices,
    until: (what, pod, accept) =>
      waitUntil(
        what,
        () => endpointOf(pod),
        (endpoint) => endpoint !== undefined && accept(endpoint),
        { limit: patience * 3 },
      ),
  };
}
