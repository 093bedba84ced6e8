import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';
import { checkKinds } from '../../../mistyped.ts';
import { type Clock, systemClock } from '../clock.ts';
import { CredentialPlugin, type PluginCluster } from './credential-plugin.ts';
import { type Access, type KubeconfigChoice, readAccess } from './kubeconfig.ts';

/** A way to the server, with kept-alive connections and fresh credentials for each request. */
export interface Connection {
  readonly url: URL;
  /** PEM of the authority that the server's certificate is verified with; missing: the host's own. */
  readonly certificateAuthority?: string;
  /** Host, credentials and agent of the next request. @param lasting whether it is a watch */
  options(lasting: boolean): Promise<https.RequestOptions>;
  /** The server did not take what was shown last: the next request shows what is new. */
  refused(): void;
  /** Another way to the same server, as whom a client certificate (PEM, with its key) says. */
  as(credentials: { readonly certificate: string; readonly key: string }): Promise<Connection>;
  /** Closes idle connections and ends the others. */
  close(): void;
}

/** Requests that may run at once beside the watches. */
const callsAtOnce = 24;

/** Milliseconds that a connection rests before it is closed: many were there for a moment only, and each takes memory. */
const rest = 10_000;

/**
 * @throws Error when the kubeconfig cannot be read or names what is not there; TypeError where it is given by another
 * name: what was meant for a server of tests would be done to the user's own
 */
export async function connect(choice: KubeconfigChoice, clock: Clock = systemClock): Promise<Connection> {
  checkKinds(choice, { text: 'a text', file: 'a text', context: 'a text' });
  return connectTo(await readAccess(choice), clock);
}

async function connectTo(access: Access, clock: Clock): Promise<Connection> {
  const url = new URL(access.cluster.server);
  const certificateAuthority = pemOf(access.cluster.caFile, access.cluster.caData);
  const agents = new Agents(url.protocol === 'http:');
  const credentials = await credentialsFor(access, clock);
  return {
    url,
    ...(certificateAuthority && { certificateAuthority }),
    async options(lasting) {
      const { headers = {}, agent, ca, cert, key, rejectUnauthorized, servername } = await credentials.now();
      const tls = {
        ca,
        cert,
        key,
        ...(rejectUnauthorized === false && { rejectUnauthorized }),
        ...(servername && { servername }),
      };
      const host = { protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port, headers };
      return { ...host, agent: agent || agents.get(lasting, tls) };
    },
    as({ certificate, key }) {
      const base64 = (pem: string) => Buffer.from(pem).toString('base64');
      const user = { name: 'certificate', certData: base64(certificate), keyData: base64(key) };
      return connectTo({ cluster: access.cluster, user }, clock);
    },
    refused: () => credentials.refused(),
    close: () => agents.close(),
  };
}

interface Credentials {
  now(): Promise<https.RequestOptions>;
  refused(): void;
}

/** Most users need little; proxies and the older authentication providers are left to the library's own class. */
async function credentialsFor(access: Access, clock: Clock): Promise<Credentials> {
  const { cluster, user } = access;
  const tokenFile: string | undefined = user.authProvider?.config?.tokenFile;
  if (cluster.proxyUrl || (user.authProvider && !tokenFile)) return libraryCredentials(access);
  const fixed: https.RequestOptions = {
    ...(cluster.skipTLSVerify && { rejectUnauthorized: false }),
    ...(cluster.tlsServerName && { servername: cluster.tlsServerName }),
  };
  const files = freshly(clock, () => ({
    pems: pemsOf(access),
    ...(tokenFile && { token: readFileSync(tokenFile, 'utf8').trim() }),
  }));
  const plugin = user.exec && new CredentialPlugin({ exec: user.exec, cluster: pluginCluster(access), clock });
  return {
    async now() {
      const { pems, token } = files.now();
      const { token: given = token, cert, key } = (await plugin?.credential()) ?? {};
      const headers = headersOf(given ? { ...user, token: given } : user);
      return { ...fixed, ...pems, ...(cert && key && { cert, key }), headers };
    },
    refused() {
      plugin?.refused();
      files.forget();
    },
  };
}

function pluginCluster({ cluster }: Access): PluginCluster {
  const authority = pemOf(cluster.caFile, cluster.caData);
  return {
    server: cluster.server,
    ...(authority && { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
    ...(cluster.skipTLSVerify && { 'insecure-skip-tls-verify': true }),
    ...(cluster.tlsServerName && { 'tls-server-name': cluster.tlsServerName }),
    ...(cluster.pluginConfig !== undefined && { config: cluster.pluginConfig }),
  };
}

async function libraryCredentials({ cluster, user }: Access): Promise<Credentials> {
  const { KubeConfig } = await import('@kubernetes/client-node').catch((cause: unknown) => {
    throw new Error('proxies and auth-providers need the package @kubernetes/client-node beside this one', { cause });
  });
  const config = new KubeConfig();
  config.loadFromClusterAndUser(cluster, user);
  return {
    async now() {
      const options: https.RequestOptions = { headers: headersOf(user) };
      await config.applyToHTTPSOptions(options);
      return options;
    },
    refused() {},
  };
}

/** How old what was read from files may be, in milliseconds: certificates and keys are renewed under our feet. */
const freshFor = 10_000;

/** Reads again when the last reading is old or forgotten. A file that is just being replaced leaves what was read before. */
function freshly<T>(clock: Clock, read: () => T): { now(): T; forget(): void } {
  let value = read();
  let readAt = clock.now();
  return {
    now() {
      if (clock.now() - readAt < freshFor) return value;
      readAt = clock.now();
      try {
        value = read();
      } catch {
        // The next request tries again.
      }
      return value;
    },
    forget() {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function pemsOf({ cluster, user }: Access): https.RequestOptions {
  const ca = pemOf(cluster.caFile, cluster.caData);
  const cert = pemOf(user.certFile, user.certData);
  const key = pemOf(user.keyFile, user.keyData);
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function pemOf(file: string | undefined, data: string | undefined): string | undefined {
  if (data) return Buffer.from(data, 'base64').toString();
  return file ? readFileSync(file, 'utf8') : undefined;
}

function headersOf(user: Access['user']): http.OutgoingHttpHeaders {
  const { token, username, password } = user;
  const basic = username ? `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` : '';
  const authorization = token ? `Bearer ${token.trim()}` : basic;
  return {
    ...(authorization && { Authorization: authorization }),
    ...impersonationHeaders(user),
  };
}

function impersonationHeaders(user: Access['user']): http.OutgoingHttpHeaders {
  const { impersonateUser, impersonateUid, impersonateGroups = [], impersonateExtra = {} } = user;
  if (!impersonateUser) return {};
  const extra = Object.entries(impersonateExtra).map(([key, values]) => [
    `Impersonate-Extra-${encodeURIComponent(key)}`,
    [...values],
  ]);
  return {
    'Impersonate-User': impersonateUser,
    ...(impersonateUid && { 'Impersonate-Uid': impersonateUid }),
    ...(impersonateGroups.length > 0 && { 'Impersonate-Group': [...impersonateGroups] }),
    ...Object.fromEntries(extra),
  };
}

/** One agent for calls and one for watches, made anew when the certificate, its key or the authority is another. */
class Agents {
  readonly #plain: boolean;
  #current: Pair | undefined;
  #last: Pair | undefined;

  constructor(plain: boolean) {
    this.#plain = plain;
  }

  get(lasting: boolean, tls: tls.ConnectionOptions): http.Agent {
    if (!this.#current || !isSame(this.#current.tls, tls)) {
      const next = new Pair(tls, this.#plain);
      // What runs on the old connections may finish there; they take nothing new, and go for good with the next change.
      this.#last?.destroy();
      this.#last = this.#current;
      this.#last?.retire();
      this.#current = next;
    }
    return lasting ? this.#current.watches : this.#current.calls;
  }

  close(): void {
    this.#last?.destroy();
    this.#current?.destroy();
  }
}

class Pair {
  readonly tls: tls.ConnectionOptions;
  readonly calls: http.Agent;
  readonly watches: http.Agent;

  /** @throws Error when the certificate, its key or the authority cannot be read */
  constructor(given: tls.ConnectionOptions, plain: boolean) {
    this.tls = given;
    const make = (options: https.AgentOptions) => (plain ? new http.Agent(options) : new https.Agent(options));
    const kept = { ...(plain ? {} : shared(given)), keepAlive: true, keepAliveMsecs: 30_000, timeout: rest };
    this.calls = make({ ...kept, maxSockets: callsAtOnce });
    this.watches = make(kept);
  }

  retire(): void {
    for (const agent of [this.calls, this.watches]) {
      agent.maxFreeSockets = 0;
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    }
  }

  destroy(): void {
    this.calls.destroy();
    this.watches.destroy();
  }
}

/** Certificates are read once, not for each connection: that takes time and memory. */
const shared = ({ ca, cert, key, ...others }: tls.ConnectionOptions): tls.ConnectionOptions => ({
  ...others,
  // Whatever a kubeconfig names as authority is trusted, be it the server's own certificate, as kubectl trusts it.
  secureContext: tls.createSecureContext({ ca, cert, key, allowPartialTrustChain: true }),
});

const isSame = (a: tls.ConnectionOptions, b: tls.ConnectionOptions): boolean =>
  a.cert === b.cert && a.key === b.key && a.ca === b.ca;
