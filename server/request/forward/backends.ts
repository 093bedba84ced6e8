import { lookup } from 'node:dns';
import type { ClientRequest, RequestOptions } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';
import { connect as connectTls } from 'node:tls';
import { hostInUrl } from '../../../host-in-url.ts';
import { parseIp, specialUse } from '../../base/ip.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { badRequest } from '../../base/status-error.ts';
import type { ThroughAgent } from '../../kinds/core/service/reach.ts';
import type { Destination } from '../../kinds/destination.ts';

// An import of this module would load all that it can offer, a WebSocket client too, and so hold up every start.
const http = process.getBuiltinModule('node:http');

/** How this server is known to agents of nodes, and knows them. Texts are PEM. */
export interface AgentAccess {
  readonly certificate?: string;
  readonly key?: string;
  /** What agents are verified with; missing: they are not, and none is asked on this machine itself. */
  readonly authority?: string;
  /** Types of addresses of nodes: the first that a node has is the one. */
  readonly addressTypes: readonly string[];
}

/** How long it may take to be connected, in milliseconds. */
const connectWithin = 10_000;

interface NodeStatus {
  readonly addresses?: readonly { readonly type?: string; readonly address?: string }[];
  readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
}

/** The ways to agents of nodes and to pods, and the connections that are open there. */
export class Backends {
  readonly #access: AgentAccess;
  readonly #open = new Set<Duplex>();

  constructor(access: AgentAccess) {
    this.#access = access;
  }

  /** Connections that were handed over to a client. */
  get size(): number {
    return this.#open.size;
  }

  /** Counts a connection among those that are ended with the server. */
  keep(socket: Duplex): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Ends all of them. */
  stop(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /**
   * A request to a destination, not sent yet. A connection that cannot be made is an error of the request.
   * @throws 400 for addresses that are not asked; Error when the way through an agent is closed
   */
  async request({ node, address, service, path }: Destination, options: RequestOptions): Promise<ClientRequest> {
    if (service) return requestTo(service, { ...options, path });
    if (!address) return limited(https.request({ ...this.#agentOf(node), ...options, path }));
    const { host, port, scheme } = address;
    const target = { host, port, path, ...options };
    if (!node) {
      refuseSpecial(host);
      const own = { ...target, agent: false as const };
      return limited(scheme === 'https' ? https.request({ ...own, rejectUnauthorized: false }) : http.request(own));
    }
    const raw = await this.through(node, { host, port });
    const socket = scheme === 'https' ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw;
    return http.request({ ...target, createConnection: () => socket });
  }

  /** A connection to an address by the agent of a node, which is a proxy to it. */
  readonly through: ThroughAgent = (node, { host, port }) =>
    new Promise((resolve, reject) => {
      const path = `${hostInUrl(host)}:${port}`;
      const request = limited(https.request({ ...this.#agentOf(node), method: 'CONNECT', path }));
      request.on('error', reject);
      request.on('connect', (response, socket, head) => {
        if (response.statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(new Error(head.toString() || `the agent answered ${response.statusCode}`));
      });
      request.end();
    });

  #agentOf(node: KubeObject | undefined): https.RequestOptions {
    const { addresses = [], daemonEndpoints } = (node?.['status'] ?? {}) as NodeStatus;
    const { certificate, key, authority, addressTypes } = this.#access;
    const preferred = addressTypes.flatMap((type) => addresses.find((each) => each.type === type)?.address ?? []);
    const host = preferred[0] ?? addresses[0]?.address ?? '';
    // Who may write a node's status must not be able to send this server to services of its own machine.
    if (!authority) refuseSpecial(host);
    return {
      host,
      port: daemonEndpoints?.kubeletEndpoint?.Port ?? 0,
      agent: false,
      ...(certificate && key && { cert: certificate, key }),
      ...(authority
        ? { ca: authority, allowPartialTrustChain: true }
        : { rejectUnauthorized: false, lookup: lookupUsual }),
    };
  }
}

async function requestTo(
  { at: { host, port, connect }, tls }: NonNullable<Destination['service']>,
  options: RequestOptions,
): Promise<ClientRequest> {
  const own = { ...options, ...tls(), host, port, agent: false } as const;
  if (!connect) return limited(https.request(own));
  const socket = connectTls({ ...tls(), socket: await connect() });
  return http.request({ ...own, createConnection: () => socket });
}

const notAllowed = 'address not allowed';

function isSpecial(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && specialUse(ip) !== '';
}

/** @throws 400 */
function refuseSpecial(host: string): void {
  if (host === 'localhost' || isSpecial(host)) throw badRequest(notAllowed);
}

/** A name is judged by what it leads to: there are many for this machine. */
const lookupUsual: LookupFunction = (host, options, done) =>
  lookup(host, options, (error, found, family) => {
    const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
    const refused = error ?? (addresses.some(isSpecial) ? new Error(notAllowed) : null);
    done(refused, found, family);
  });

function limited(request: ClientRequest): ClientRequest {
  const timer = setTimeout(() => request.destroy(new Error('i/o timeout')), connectWithin);
  const done = () => clearTimeout(timer);
  request.once('socket', (socket) => socket.once('secureConnect', done).once('connect', done));
  request.once('close', done);
  for (const answered of ['response', 'upgrade', 'connect']) request.once(answered, done);
  return request;
}
