import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Cluster, Context, User } from '@kubernetes/client-node';
import { hostInUrl } from '../../../host-in-url.ts';
import { isHttpAddress } from '../../../http-address.ts';
import { meant } from '../../../mistyped.ts';
import { pluginGroup } from './credential-plugin.ts';
import { readClusters, readContexts, readUsers } from './kubeconfig-entries.ts';

/** Where to find the server and who we are there: one context of a client configuration. */
export interface Access {
  readonly cluster: Cluster & ForPlugins;
  readonly user: User & Impersonation;
}

/** What a cluster has for credential plugins, which the library's type leaves out. */
export interface ForPlugins {
  readonly pluginConfig?: unknown;
}

/** What else the user acts as (`as-groups`, `as-uid`, `as-user-extra`), which the library's type leaves out. */
export interface Impersonation {
  readonly impersonateGroups?: readonly string[];
  readonly impersonateUid?: string;
  readonly impersonateExtra?: Readonly<Record<string, readonly string[]>>;
}

/** Which client configuration to read. */
export interface KubeconfigChoice {
  /** Its text (YAML or JSON); it counts before `file`. */
  readonly text?: string;
  /** Its file; missing: KUBECONFIG (files joined by the path delimiter), ~/.kube/config, the pod's service account. */
  readonly file?: string;
  /** Missing: the current context of the file. */
  readonly context?: string;
}

interface Config {
  readonly clusters: readonly (Cluster & ForPlugins)[];
  readonly users: readonly (User & Impersonation)[];
  readonly contexts: readonly Context[];
  readonly current?: string;
}

/**
 * Reads the chosen context. The client library's KubeConfig could do that, but would load every generated model with it,
 * some 60 MiB.
 * @throws Error when there is no such file or context, or it names a cluster or a user that is not there,
 * or a server that is no http or https address
 */
export async function readAccess({ text, file, context }: KubeconfigChoice): Promise<Access> {
  const config = text === undefined ? await readFiles(file) : await parseConfig(text, process.cwd());
  if (!config) return inCluster();
  const name = context ?? config.current;
  const chosen = config.contexts.find((each) => each.name === name);
  if (!chosen) {
    const names = config.contexts.map((each) => each.name);
    const named = name ? `no context named ${JSON.stringify(name)}${meant(name, names)}` : 'no current context';
    throw new Error(`the kubeconfig has ${named}; there are${names.length > 0 ? `: ${names.join(', ')}` : ' none'}`);
  }
  const cluster = config.clusters.find((each) => each.name === chosen.cluster);
  if (!cluster) throw new Error(`the kubeconfig has no cluster named ${JSON.stringify(chosen.cluster)}`);
  if (!isHttpAddress(cluster.server))
    throw new Error(`the kubeconfig has a server that is no http or https address: ${cluster.server}`);
  const user = config.users.find((each) => each.name === chosen.user);
  if (chosen.user && !user) throw new Error(`the kubeconfig has no user named ${JSON.stringify(chosen.user)}`);
  return { cluster, user: user ?? { name: '' } };
}

/** All files together: what an earlier file names first counts. Undefined when there is none. */
async function readFiles(file: string | undefined): Promise<Config | undefined> {
  const listed = file ? [file] : (process.env['KUBECONFIG'] ?? '').split(delimiter).filter(Boolean);
  const files = listed.length > 0 ? listed : [join(homedir(), '.kube', 'config')].filter((each) => existsSync(each));
  const configs: Config[] = [];
  for (const each of files) configs.push(await readConfig(each));
  if (configs.length === 0) return undefined;
  const current = configs.find((each) => each.current)?.current;
  return {
    clusters: configs.flatMap(({ clusters }) => clusters),
    users: configs.flatMap(({ users }) => users),
    contexts: configs.flatMap(({ contexts }) => contexts),
    ...(current && { current }),
  };
}

/** @throws Error of one line that names the file */
async function readConfig(file: string): Promise<Config> {
  try {
    return await parseConfig(readFileSync(file, 'utf8'), dirname(resolve(file)));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`there is no kubeconfig ${file}`);
    throw new Error(`the kubeconfig ${file} cannot be read: ${message.split('\n')[0]}`);
  }
}

async function parseConfig(text: string, folder: string): Promise<Config> {
  const parsed = text.trimStart().startsWith('{') ? JSON.parse(text) : (await import('yaml')).parse(text);
  const from = parsed !== null && typeof parsed === 'object' ? parsed : {};
  const inFolder = (path: string | undefined) => (path && !isAbsolute(path) ? join(folder, path) : path);
  const clusters = readClusters(from.clusters).map((each, index) => ({
    ...each,
    caFile: inFolder(each.caFile),
    pluginConfig: pluginConfigOf(from.clusters?.[index]?.cluster),
  }));
  const users = readUsers(
    (from.users ?? []).map((each: NamedUser) => withCommand(withTokenFile(each, inFolder), inFolder)),
  );
  return {
    clusters: clusters as Cluster[],
    users: users.map(
      (each, index) =>
        ({
          ...each,
          certFile: inFolder(each.certFile),
          keyFile: inFolder(each.keyFile),
          ...impersonationOf(from.users[index]?.user),
        }) as User,
    ),
    contexts: readContexts(from.contexts),
    ...(typeof from['current-context'] === 'string' && { current: from['current-context'] }),
  };
}

function impersonationOf(user: Readonly<Record<string, unknown>> | null | undefined): Impersonation {
  const { 'as-groups': groups, 'as-uid': uid, 'as-user-extra': extra } = user ?? {};
  return {
    ...(Array.isArray(groups) && { impersonateGroups: groups.map(String) }),
    ...(typeof uid === 'string' && { impersonateUid: uid }),
    ...(extra !== null &&
      typeof extra === 'object' && { impersonateExtra: extra as Readonly<Record<string, readonly string[]>> }),
  };
}

interface NamedUser {
  readonly name?: string;
  readonly user?: Readonly<Record<string, unknown>> | null;
}

/** A token file as the library's own file authentication takes it. */
function withTokenFile(entry: NamedUser, inFolder: (path: string) => string | undefined): NamedUser {
  const file = entry?.user?.['tokenFile'];
  if (typeof file !== 'string') return entry;
  return { ...entry, user: { ...entry.user, 'auth-provider': tokenFileProvider(inFolder(file) ?? file) } };
}

/** A relative path of a credential plugin is relative to the file. */
function withCommand(entry: NamedUser, inFolder: (path: string) => string | undefined): NamedUser {
  const exec = entry?.user?.['exec'] as { readonly command?: unknown } | null | undefined;
  const command = exec?.command;
  if (typeof command !== 'string' || !/[/\\]/.test(command)) return entry;
  return { ...entry, user: { ...entry.user, exec: { ...exec, command: inFolder(command) } } };
}

interface Extended {
  readonly extensions?: readonly { readonly name?: string; readonly extension?: unknown }[] | null;
}

const pluginConfigOf = (cluster: Extended | null | undefined): unknown =>
  (cluster?.extensions ?? []).find(({ name }) => name === `${pluginGroup}/exec`)?.extension;

const tokenFileProvider = (tokenFile: string) => ({ name: 'tokenFile', config: { tokenFile } });

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

function inCluster(): Access {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = process.env;
  if (!host) throw new Error('no kubeconfig: name one with --kubeconfig or in KUBECONFIG');
  const server = `https://${hostInUrl(host)}:${port}`;
  return {
    cluster: { name: 'in-cluster', server, caFile: `${accountFolder}/ca.crt`, skipTLSVerify: false },
    user: { name: 'in-cluster', authProvider: tokenFileProvider(`${accountFolder}/token`) },
  };
}
