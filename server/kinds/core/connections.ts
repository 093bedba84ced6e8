import type { KubeObject } from '../../base/kube-object.ts';
import { badRequest, notFound, serviceUnavailable, statusAnswer } from '../../base/status-error.ts';
import type { Operation, OperationInput } from '../strategy.ts';
import type { Endpoints } from './endpoints.ts';
import type { Pod } from './pod/shape.ts';
import type { Service } from './service/shape.ts';

type Node = KubeObject & { readonly status?: { readonly addresses?: readonly unknown[] } };

/** What is behind a proxy has its root at the slash: its relative links start there. */
const addSlash = { code: 301, addSlash: true } as const;

/** Requests that want a connection to a node's agent. This server reaches no nodes: they end where a node would begin. */

async function podOf({ namespace, name, context }: OperationInput): Promise<Pod> {
  const pod = await context.lookup.get('', 'pods', namespace, name);
  if (!pod) throw notFound({ group: '', resource: 'pods' }, name);
  return pod as Pod;
}

/** The container that is meant must exist; with only one it need not be said. */
function checkContainer({ metadata, spec = {} }: Pod, asked: string | undefined): void {
  const own = (spec.containers ?? []).map(({ name = '' }) => name);
  const all = [
    ...own,
    ...[...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])].map(({ name = '' }) => name),
  ];
  if (asked) {
    if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${metadata.name}`);
    return;
  }
  if (own.length !== 1)
    throw badRequest(`a container name must be specified for pod ${metadata.name}, choose one of: [${all.join(' ')}]`);
}

/** @throws 404 when there is no such node, 500 because none can be reached */
async function reachNode({ context }: OperationInput, name: string): Promise<never> {
  const node = await context.lookup.get('', 'nodes', '', name);
  if (!node) throw notFound({ group: '', resource: 'nodes' }, name);
  throw statusAnswer(500, `error dialing backend: no connection to node ${JSON.stringify(name)}`);
}

async function reachNodeOf(input: OperationInput, pod: Pod): Promise<never> {
  const node = pod.spec?.nodeName;
  if (!node) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  return reachNode(input, node);
}

/** A pod that has no node yet has written nothing. */
export const podLog: Operation = async (input) => {
  const pod = await podOf(input);
  checkContainer(pod, input.query('container'));
  return pod.spec?.nodeName ? reachNode(input, pod.spec.nodeName) : { code: 204, text: '' };
};

/** `exec` and `attach`. */
export const podStream: Operation = async (input) => {
  const pod = await podOf(input);
  checkContainer(pod, input.query('container'));
  return reachNodeOf(input, pod);
};

export const podPortForward: Operation = async (input) => reachNodeOf(input, await podOf(input));

/** Connects to the pod's own address. */
export const podProxy: Operation = async (input) => {
  const pod = await podOf(input);
  if (!pod.status?.podIP) throw badRequest('address not allowed');
  if (input.lacksSlash) return addSlash;
  throw serviceUnavailable(`error trying to reach service: no connection to ${pod.status.podIP}`);
};

export const nodeProxy: Operation = async (input) => {
  const node = (await input.context.lookup.get('', 'nodes', '', input.name)) as Node | undefined;
  return node?.status?.addresses?.length && input.lacksSlash ? addSlash : reachNode(input, input.name);
};

/** A proxied name may carry scheme and port: `https:name:port`. */
function readName(name: string): { plain: string; port: string } {
  const parts = name.split(':');
  const [plain = '', port = ''] = parts.length > 2 ? parts.slice(1) : parts;
  return { plain, port };
}

/** The name under which endpoints list the port that is asked for by name or number; one alone need not be said. */
function portName({ spec = {} }: Service, asked: string): string {
  const ports = spec.ports ?? [];
  if (!asked && ports.length === 1) return ports[0]?.name ?? '';
  return ports.find(({ port }) => String(port) === asked)?.name ?? asked;
}

/** Leads to one of the service's endpoints. */
export const serviceProxy: Operation = async ({ namespace, name, context, lacksSlash }) => {
  const { plain, port } = readName(name);
  const service = (await context.lookup.get('', 'services', namespace, plain)) as Service | undefined;
  if (!service) throw notFound({ group: '', resource: 'services' }, plain);
  const endpoints = (await context.lookup.get('', 'endpoints', namespace, plain)) as Endpoints | undefined;
  if (!endpoints) throw notFound({ group: '', resource: 'endpoints' }, plain);
  const wanted = portName(service, port);
  const open = endpoints.subsets?.some(
    ({ addresses = [], ports = [] }) => addresses.length > 0 && ports.some((each) => (each.name ?? '') === wanted),
  );
  if (!open) throw serviceUnavailable(`no endpoints available for service "${name}"`);
  if (lacksSlash) return addSlash;
  throw serviceUnavailable(`error trying to reach service: no connection to the endpoints of "${name}"`);
};
