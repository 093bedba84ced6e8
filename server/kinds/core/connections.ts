import type { KubeObject } from '../../base/kube-object.ts';
import { badRequest, internalError, notFound, serviceUnavailable, statusAnswer } from '../../base/status-error.ts';
import type { Destination } from '../destination.ts';
import type { Lookup, Operation, OperationInput } from '../strategy.ts';
import { readLogOptions } from './pod/log-options.ts';
import type { Pod } from './pod/shape.ts';

interface Node extends KubeObject {
  readonly status?: {
    readonly addresses?: readonly unknown[];
    readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
  };
}

/** What is behind a proxy has its root at the slash: its relative links start there. */
export const addSlash = { code: 301, addSlash: true } as const;

async function podOf({ namespace, name, context }: OperationInput): Promise<Pod> {
  const pod = await context.lookup.get('', 'pods', namespace, name);
  if (!pod) throw notFound({ group: '', resource: 'pods' }, name);
  return pod as Pod;
}

/** The container that is meant must exist; with only one it need not be said. */
function containerOf({ metadata, spec = {} }: Pod, asked: string | undefined): string {
  const own = (spec.containers ?? []).map(({ name = '' }) => name);
  const all = [
    ...own,
    ...[...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])].map(({ name = '' }) => name),
  ];
  if (asked) {
    if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${metadata.name}`);
    return asked;
  }
  const [only = ''] = own;
  if (own.length !== 1)
    throw badRequest(`a container name must be specified for pod ${metadata.name}, choose one of: [${all.join(' ')}]`);
  return only;
}

const dialing = (why: string) => statusAnswer(500, `error dialing backend: ${why}`);

/** To the agent of a node. @throws 404 when there is no such node, 500 when it has no agent that could be asked */
async function toNode(
  { context }: OperationInput,
  name: string,
  path: string,
  missing: 'nodes' | 'pods' = 'nodes',
): Promise<Destination> {
  const node = (await context.lookup.get('', 'nodes', '', name)) as Node | undefined;
  if (!node) throw notFound({ group: '', resource: missing }, name);
  const { addresses = [], daemonEndpoints } = node.status ?? {};
  if (addresses.length === 0 || !daemonEndpoints?.kubeletEndpoint?.Port)
    throw dialing(`no connection to node ${JSON.stringify(name)}`);
  return { node, path, unreachable: dialing };
}

/** To what the agent of the pod's node does with it: `exec/namespace/name/container`. */
async function toNodeOf(
  input: OperationInput,
  pod: Pod,
  what: readonly string[],
  query: readonly (readonly [string, string | undefined])[],
): Promise<Destination> {
  const node = pod.spec?.nodeName;
  if (!node) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  const given = query.filter((pair): pair is [string, string] => Boolean(pair[1]));
  const search = new URLSearchParams(given).toString();
  const path = `/${what.map(encodeURIComponent).join('/')}`;
  // The answer names what was asked for.
  return toNode(input, node, search ? `${path}?${search}` : path, 'pods');
}

/** How a failure to get a log is told: in the words of the agent, which knows what the container does. */
const logRefused =
  (name: string) =>
  (code: number, text: string): Error => {
    if (code === 500) return internalError(text);
    if (code === 400) return badRequest(text);
    const message =
      code === 404
        ? `the server could not find the requested resource ( pods/log ${name})`
        : `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`;
    return statusAnswer(code, message, code === 404 ? 'NotFound' : 'InternalError', { name, kind: 'pods/log' });
  };

/** A pod that has no node yet has written nothing. */
export const podLog: Operation = async (input) => {
  const query = readLogOptions(input.name, input.query);
  const pod = await podOf(input);
  const container = containerOf(pod, input.query('container'));
  if (!pod.spec?.nodeName) return { code: 204, text: '' };
  const what = ['containerLogs', input.namespace, input.name, container];
  return { forward: { ...(await toNodeOf(input, pod, what, query)), refused: logRefused(input.name) } };
};

/** Names that agents have for what clients call otherwise. */
const streamParameters = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' };

const podStream =
  (verb: 'exec' | 'attach'): Operation =>
  async (input) => {
    const pod = await podOf(input);
    const container = containerOf(pod, input.query('container'));
    const isTrue = (name: string) => /^(?:1|t|true)$/i.test(input.query(name) ?? '');
    const streams = Object.entries(streamParameters).map(([name, there]) => [there, isTrue(name) ? '1' : ''] as const);
    const command = input.queryAll('command').map((part) => ['command', part] as const);
    const what = [verb, input.namespace, input.name, container];
    return { forward: await toNodeOf(input, pod, what, [...streams, ...command]) };
  };

export const podExec: Operation = podStream('exec');
export const podAttach: Operation = podStream('attach');

export const podPortForward: Operation = async (input) => {
  const ports = input.queryAll('ports').map((port) => ['port', port] as const);
  const pod = await podOf(input);
  return { forward: await toNodeOf(input, pod, ['portForward', input.namespace, input.name], ports) };
};

const toService = (why: string) => serviceUnavailable(`error trying to reach service: ${why}`);

/** Nodes whose pods are in a network of their own say so by this annotation: their agents are proxies into it. */
const reachAnnotation = 'touchstone.example/reach-pods';

/** The node, if addresses of its pods are reached through its agent alone. */
export async function agentBefore(lookup: Lookup, node: string | undefined): Promise<KubeObject | undefined> {
  const host = node ? await lookup.get('', 'nodes', '', node) : undefined;
  return host?.metadata.annotations?.[reachAnnotation] === 'through-agent' ? host : undefined;
}

/** To the address of a pod on a node. */
export async function toPod(
  { context, beyond }: OperationInput,
  name: string | undefined,
  address: NonNullable<Destination['address']>,
): Promise<Destination> {
  const node = await agentBefore(context.lookup, name);
  return { ...(node && { node }), address, path: beyond, unreachable: toService };
}

/** Connects to the pod's own address. */
export const podProxy: Operation = async (input) => {
  const { plain, port, scheme } = readName(input.name);
  const pod = await podOf({ ...input, name: plain });
  const host = pod.status?.podIP;
  if (!host) throw badRequest('address not allowed');
  if (input.lacksSlash) return addSlash;
  return { forward: await toPod(input, pod.spec?.nodeName, { host, scheme, port: portOf(pod, port, scheme) }) };
};

/** The port that is meant by number or name; without one the first of the pod, or the usual one of the scheme. */
function portOf({ metadata, spec }: Pod, asked: string, scheme: string): number {
  const ports = (spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  if (!asked) return ports[0]?.containerPort ?? (scheme === 'https' ? 443 : 80);
  const number = ports.find(({ name }) => name === asked)?.containerPort ?? Number(asked);
  if (!(Number.isInteger(number) && number > 0 && number < 65_536))
    throw badRequest(`pod ${metadata.name} has no port ${JSON.stringify(asked)}`);
  return number;
}

export const nodeProxy: Operation = async (input) => {
  const { plain } = readName(input.name);
  const node = (await input.context.lookup.get('', 'nodes', '', plain)) as Node | undefined;
  if (node?.status?.addresses?.length && input.lacksSlash) return addSlash;
  return { forward: await toNode(input, plain, input.beyond) };
};

/** A proxied name may carry scheme and port: `https:name:port`. */
export function readName(name: string): {
  readonly plain: string;
  readonly port: string;
  readonly scheme: 'http' | 'https';
} {
  const parts = name.split(':');
  const [plain = '', port = ''] = parts.length > 2 ? parts.slice(1) : parts;
  return { plain, port, scheme: parts.length > 2 && parts[0] === 'https' ? 'https' : 'http' };
}
