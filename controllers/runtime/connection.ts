import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type tls from 'node:tls';
import type { User } from '@kubernetes/client-node/dist/config_types.js';
import { ExecAuth } from '@kubernetes/client-node/dist/exec_auth.js';
import { FileAuth } from '@kubernetes/client-node/dist/file_auth.js';
import { type Access, type KubeconfigChoice, readAccess } from './kubeconfig.ts';

/** A way to the server, with kept-alive connections and fresh credentials for each request. */
export interface Connection {
  readonly url: URL;
  /** PEM of the authority that the server's certificate is verified with; missing: the host's own. */
  readonly certificateAuthority?: string;
  /** Host, credentials and agent of the next request. @param lasting whether it is a watch */
  options(lasting: boolean): Promise<https.RequestOptions>;
  /** Another way to the same server, as whom a client certificate (PEM, with its key) says. */
  as(credentials: { readonly certificate: string; readonly key: string }): Promise<Connection>;
  /** Closes idle connections and ends the others. */
  close(): void;
}

/** Requests that may run at once beside the watches. */
const callsAtOnce = 24;

/** @throws Error when the kubeconfig cannot be read or names what is not there */
export async function connect(choice: KubeconfigChoice): Promise<Connection> {
  return connectTo(await readAccess(choice));
}

async function connectTo(access: Access): Promise<Connection> {
  const url = new URL(access.cluster.server);
  const certificateAuthority = pemOf(access.cluster.caFile, access.cluster.caData)?.toString();
  const agents = new Agents(url.protocol === 'http:');
  const credentials = await credentialsFor(access);
  return {
    url,
    ...(certificateAuthority && { certificateAuthority }),
    async options(lasting) {
      const { headers = {}, agent, ca, cert, key, rejectUnauthorized, servername } = await credentials();
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
      return connectTo({ cluster: access.cluster, user });
    },
    close: () => agents.close(),
  };
}

type Credentials = () => Promise<https.RequestOptions>;

/** Most users need little; proxies and the older authentication providers are left to the library's own class. */
async function credentialsFor(access: Access): Promise<Credentials> {
  const { cluster, user } = access;
  const authenticators = [new ExecAuth(), new FileAuth()];
  const authenticator = authenticators.find((each) => each.isAuthProvider(user));
  if (cluster.proxyUrl || (user.authProvider && !authenticator)) return libraryCredentials(access);
  const fixed: https.RequestOptions = {
    ...(cluster.skipTLSVerify && { rejectUnauthorized: false }),
    ...(cluster.tlsServerName && { servername: cluster.tlsServerName }),
    ...pems(access),
  };
  return async () => {
    const options: https.RequestOptions = { ...fixed, headers: headersOf(user) };
    await authenticator?.applyAuthentication(user, options);
    return options;
  };
}

async function libraryCredentials({ cluster, user }: Access): Promise<Credentials> {
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
  const config = new KubeConfig();
  config.loadFromClusterAndUser(cluster, user);
  return async () => {
    const options: https.RequestOptions = { headers: headersOf(user) };
    await config.applyToHTTPSOptions(options);
    return options;
  };
}

function pems({ cluster, user }: Access): https.RequestOptions {
  const ca = pemOf(cluster.caFile, cluster.caData);
  const cert = pemOf(user.certFile, user.certData);
  const key = pemOf(user.keyFile, user.keyData);
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function pemOf(file: string | undefined, data: string | undefined): Buffer | undefined {
  if (data) return Buffer.from(data, 'base64');
  return file ? readFileSync(file) : undefined;
}

function headersOf({ token, username, password, impersonateUser }: User): Record<string, string> {
  const basic = username ? `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` : '';
  const authorization = token ? `Bearer ${token.trim()}` : basic;
  return {
    ...(authorization && { Authorization: authorization }),
    ...(impersonateUser && { 'Impersonate-User': impersonateUser }),
  };
}

/** One agent for calls and one for watches, made anew when an authenticating command hands out another certificate. */
class Agents {
  readonly #plain: boolean;
  #certificate = '';
  #calls: http.Agent | undefined;
  #watches: http.Agent | undefined;

  constructor(plain: boolean) {
    this.#plain = plain;
  }

  get(lasting: boolean, tls: tls.ConnectionOptions): http.Agent {
    const certificate = String(tls.cert ?? '');
    if (!this.#calls || !this.#watches || certificate !== this.#certificate) {
      this.close();
      this.#certificate = certificate;
      this.#calls = this.#make({ ...tls, maxSockets: callsAtOnce });
      this.#watches = this.#make(tls);
    }
    return lasting ? this.#watches : this.#calls;
  }

  close(): void {
    this.#calls?.destroy();
    this.#watches?.destroy();
  }

  #make(options: https.AgentOptions): http.Agent {
    const kept = { ...options, keepAlive: true, keepAliveMsecs: 30_000 };
    return this.#plain ? new http.Agent(kept) : new https.Agent(kept);
  }
}
