import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../runtime/clock.ts';
import { nameOf, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import type { Pod } from '../runtime/resources.ts';
import { type ContainerRuntime, Refusal } from './container-runtime.ts';
import type { Handlers } from './endpoint.ts';
import { answerLogQuery, readLogQuery } from './log-query.ts';
import { podAt } from './node.ts';
import { servePortForward } from './streaming/port-forward.ts';
import { serveCommand, type Wanted } from './streaming/remote-command.ts';
import type { Upgrade } from './streaming/upgrades.ts';

/** What the agent of one node can be asked. */
export interface NodeParts {
  readonly name: string;
  readonly runtime: ContainerRuntime;
  /** The pods that are on the node. */
  readonly pods: () => readonly Pod[];
  readonly clock: Clock;
}

/** The paths of a node's agent, as API servers ask for them. */
export const handlersOf = (parts: NodeParts): Handlers => ({
  async request(request, response) {
    const { path, query } = read(request);
    const [what] = path;
    if (what === 'healthz') return void response.end('ok');
    if (what === 'pods' || what === 'runningpods') return answerPods(parts, response);
    if (what === 'stats' && path[1] === 'summary') return answerStats(parts, response);
    if (what === 'containerLogs') return answerLogs(parts, path, query, response);
    if (what === 'exec' || what === 'attach' || what === 'portForward')
      throw new Refusal(400, 'Upgrade request required');
    throw new Refusal(404, 'there is nothing at this path');
  },
  async upgrade(upgrade) {
    const { path, query } = read(upgrade.request);
    const [what, namespace = '', name = ''] = path;
    if (what !== 'exec' && what !== 'attach' && what !== 'portForward')
      throw new Refusal(404, 'there is nothing at this path');
    const pod = podOf(parts, namespace, name);
    if (what === 'portForward') return servePortForward(upgrade, (port) => parts.runtime.connect(pod, port));
    return command(parts, upgrade, pod, { what, container: path.at(-1) ?? '', query });
  },
  async connect(target) {
    const { host, port } = hostAndPort(target);
    const pod = podAt(parts.pods(), host);
    if (!pod) throw new Refusal(502, `no pod of this node has the address ${host}`);
    return parts.runtime.connect(pod, port);
  },
});

function read({ url = '' }: IncomingMessage) {
  const { pathname, searchParams } = new URL(url, 'http://node');
  return { path: decoded(pathname).split('/').filter(Boolean), query: searchParams };
}

/** Escaped slashes part a path as well, as they do in Go. @throws Refusal */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Refusal(400, 'the path is badly escaped');
  }
}

function podOf({ pods }: NodeParts, namespace: string, name: string): Pod {
  const pod = pods().find((each) => namespaceOf(each) === namespace && nameOf(each) === name);
  if (!pod) throw new Refusal(404, `pod "${name}" in namespace "${namespace}" is not on this node`);
  return pod;
}

function answerPods({ pods }: NodeParts, response: ServerResponse): void {
  const items = pods().map((pod) => ({ apiVersion: 'v1', kind: 'Pod', ...pod }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ apiVersion: 'v1', kind: 'PodList', metadata: {}, items }));
}

/** What the containers of the node use, in the form of the summary API. */
function answerStats({ pods, runtime, clock, name }: NodeParts, response: ServerResponse): void {
  const time = new Date(clock.now()).toISOString();
  const told = pods().map((pod) => ({
    podRef: { name: nameOf(pod), namespace: namespaceOf(pod), uid: uidOf(pod) },
    startTime: pod.status?.startTime,
    containers: runtime.usage(pod).map(({ name: container, cpuSeconds, memoryBytes }) => ({
      name: container,
      cpu: { time, usageCoreNanoSeconds: Math.round(cpuSeconds * 1e9) },
      memory: { time, workingSetBytes: memoryBytes, rssBytes: memoryBytes },
    })),
  }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ node: { nodeName: name }, pods: told }));
}

async function answerLogs(
  parts: NodeParts,
  [, namespace = '', name = '', container = '']: readonly string[],
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const pod = podOf(parts, namespace, name);
  const asked = readLogQuery(query, parts.clock.now());
  const log = parts.runtime.logOf(pod, container, asked.previous);
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.flushHeaders();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  await pipeline(Readable.from(answerLogQuery(log, asked, gone.signal)), response).catch(() => response.destroy());
}

interface Command {
  readonly what: 'exec' | 'attach';
  readonly container: string;
  readonly query: URLSearchParams;
}

function command({ runtime }: NodeParts, upgrade: Upgrade, pod: Pod, asked: Command): Promise<void> {
  const { what, container, query } = asked;
  const flag = (name: string) => /^(?:1|t|true)$/i.test(query.get(name) ?? '');
  const wanted: Wanted = { stdin: flag('input'), stdout: flag('output'), stderr: flag('error'), tty: flag('tty') };
  if (!wanted.stdin && !wanted.stdout && !wanted.stderr)
    throw new Refusal(400, 'you must specify at least 1 of stdin, stdout, stderr');
  const line = query.getAll('command');
  if (what === 'exec' && line.length === 0) throw new Refusal(400, 'a command is required');
  return serveCommand(upgrade, wanted, (streams) =>
    what === 'exec' ? runtime.exec(pod, container, line, streams) : runtime.attach(pod, container, streams),
  );
}

/** @throws Refusal */
function hostAndPort(target: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(target) ?? [];
  if (!isIP(host) || Number(port) < 1 || Number(port) > 65_535)
    throw new Refusal(400, `${JSON.stringify(target)} is no address and port`);
  return { host, port: Number(port) };
}
