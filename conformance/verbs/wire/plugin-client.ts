import type { Agent, Dispatcher } from 'undici';
import { type Credential, type Plugin, PluginCredentials } from '../../target/credential-plugin.ts';
import type { Client } from '../client.ts';
import { connect } from './connections.ts';
import { type ClientOptions, makeClient } from './http-client.ts';

const credentialsByPlugin = new Map<string, PluginCredentials>();

/** The credentials that all of a process is done with. */
function sharedCredentials(plugin: Plugin): PluginCredentials {
  const key = JSON.stringify(plugin);
  const credentials = credentialsByPlugin.get(key) ?? new PluginCredentials(plugin, false);
  credentialsByPlugin.set(key, credentials);
  return credentials;
}

/** A client with the credentials of its target: what a plugin gave at first may be over by now. */
export function clientOf(options: ClientOptions, credentials?: PluginCredentials): Client {
  const { plugin } = options.target;
  return plugin ? makePluginClient(options, credentials ?? sharedCredentials(plugin)) : makeClient(options);
}

/** A client that shows what a credential plugin gives it, and asks the plugin again when that is refused. */
function makePluginClient(options: ClientOptions, credentials: PluginCredentials): Client {
  const connections = new Connections(options);
  const clientFor = ({ expires: _, ...credential }: Credential): Client => {
    const target = { ...options.target, ...credential };
    return makeClient({ ...options, target, agents: { ...options.agents, own: connections.showing(credential) } });
  };
  const twice = async <A extends { readonly status: number }>(ask: (client: Client) => Promise<A>): Promise<A> => {
    const shown = await credentials.current();
    const first = await ask(clientFor(shown));
    if (first.status !== 401) return first;
    await credentials.refuse(shown);
    return ask(clientFor(await credentials.current()));
  };
  return {
    send: (method, path, sent) => twice((client) => client.send(method, path, sent)),
    open: (path, sent) => twice((client) => client.open(path, sent)),
  };
}

/** Connections that show a certificate, made anew for each new one. */
class Connections {
  readonly #options: ClientOptions;
  #certificate: string | undefined;
  #agent: Agent | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  showing({ clientCertificate, clientKey }: Credential): Dispatcher {
    const { target, agents } = this.#options;
    if (!clientCertificate || !clientKey || target.proxied) return agents.own;
    if (this.#agent && this.#certificate === clientCertificate) return this.#agent;
    void this.#agent?.close();
    this.#certificate = clientCertificate;
    this.#agent = connect({ ...target, clientCertificate, clientKey });
    return this.#agent;
  }
}
