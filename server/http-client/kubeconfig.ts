import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { firstLine } from '../../file-trouble.ts';
import { type Fields, fieldsOf, textOf } from '../base/untyped.ts';
import { parseYaml } from '../base/yaml-text.ts';
import type { At } from './http-call.ts';

/** What a caller shows of itself. */
export interface CallerCredentials {
  /** PEM of the caller's own certificate and key. */
  readonly certificate?: string;
  readonly key?: string;
  /** Text of an Authorization header. */
  readonly authorization?: string;
}

/** How to reach one remote service and what to show it: the current context of a client configuration file. */
export interface RemoteService extends CallerCredentials {
  readonly url: URL;
  /** PEM; missing: the host's root CAs. */
  readonly ca?: string;
  readonly insecureSkipVerify: boolean;
  /** The name to expect in the service's certificate, if not the host of the URL. */
  readonly serverName?: string;
  /** Where it is, if not at the host of the URL. */
  readonly at?: At;
}

/** The users of a client configuration file by name, and the one of its current context. */
export interface ConfiguredUsers {
  readonly users: ReadonlyMap<string, CallerCredentials>;
  readonly current: CallerCredentials | undefined;
}

function named(list: unknown, name: string, part: string): Fields | undefined {
  if (!Array.isArray(list)) return undefined;
  const entry = list.map(fieldsOf).find((each) => each.name === name);
  return entry && fieldsOf(entry[part]);
}

/** The content of `<key>-data` (base64) or else of the file that `<key>` names, relative to `folder`. */
function content(from: Fields, key: string, folder: string): string | undefined {
  const data = textOf(from[`${key}-data`]);
  if (data) return Buffer.from(data, 'base64').toString();
  const file = textOf(from[key]);
  return file ? readFileSync(resolve(folder, file), 'utf8') : undefined;
}

function authorizationOf(user: Fields, folder: string): string | undefined {
  const tokenFile = textOf(user.tokenFile);
  const token = tokenFile ? readFileSync(resolve(folder, tokenFile), 'utf8').trim() : textOf(user.token);
  if (token) return `Bearer ${token}`;
  if (typeof user.username !== 'string' || !user.username) return undefined;
  return `Basic ${Buffer.from(`${user.username}:${textOf(user.password)}`).toString('base64')}`;
}

/** @throws Error when a certificate lacks its key or a file cannot be read */
function credentialsOf(user: Fields, file: string, folder: string): CallerCredentials {
  const certificate = content(user, 'client-certificate', folder);
  const key = content(user, 'client-key', folder);
  if (!certificate !== !key) throw new Error(`${file}: a client certificate needs its key, and a key its certificate`);
  const authorization = authorizationOf(user, folder);
  return { ...(certificate && key && { certificate, key }), ...(authorization && { authorization }) };
}

function readMapping(file: string): Fields {
  const text = readFileSync(file, 'utf8');
  try {
    return fieldsOf(parseYaml(text));
  } catch (error) {
    // The lines after the first show what is there.
    throw new Error(`${file}: ${firstLine((error as Error).message)}`);
  }
}

function currentContext(config: Fields): { readonly name: string; readonly context: Fields | undefined } {
  const contexts = Array.isArray(config.contexts) ? config.contexts.map(fieldsOf) : [];
  const name = textOf(config['current-context']) || (contexts.length === 1 ? textOf(contexts[0]?.name) : '');
  return { name, context: named(config.contexts, name, 'context') };
}

/**
 * Reads a client configuration file (YAML or JSON) that says how this server calls a remote service: `clusters` is
 * the service, `users` the credentials.
 * @throws Error when the file cannot be read or has no usable current context
 */
export function readRemoteService(file: string): RemoteService {
  const config = readMapping(file);
  const folder = dirname(resolve(file));
  const { name, context } = currentContext(config);
  if (!context) throw new Error(`${file}: ${name ? `no context named ${JSON.stringify(name)}` : 'no current context'}`);
  const cluster = named(config.clusters, textOf(context.cluster), 'cluster');
  if (!cluster || !URL.canParse(textOf(cluster.server)))
    throw new Error(`${file}: the cluster has no valid server URL`);
  const ca = content(cluster, 'certificate-authority', folder);
  const serverName = textOf(cluster['tls-server-name']);
  return {
    url: new URL(textOf(cluster.server)),
    insecureSkipVerify: cluster['insecure-skip-tls-verify'] === true,
    ...(ca && { ca }),
    ...(serverName && { serverName }),
    ...credentialsOf(named(config.users, textOf(context.user), 'user') ?? {}, file, folder),
  };
}

/**
 * Reads only the users of a client configuration file, which may lack clusters and contexts.
 * @throws Error when the file, or one that a user names, cannot be read
 */
export function readUsers(file: string): ConfiguredUsers {
  const config = readMapping(file);
  const folder = dirname(resolve(file));
  const users = new Map<string, CallerCredentials>();
  for (const entry of Array.isArray(config.users) ? config.users.map(fieldsOf) : []) {
    users.set(textOf(entry.name), credentialsOf(fieldsOf(entry.user), file, folder));
  }
  const user = textOf(currentContext(config).context?.user);
  return { users, current: users.get(user) };
}
