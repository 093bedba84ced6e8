import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { isHttpAddress } from '../../http-address.ts';
import { meant } from '../../mistyped.ts';
import type { Json } from '../verbs/json.ts';
import type { Target } from './target.ts';

/** A kubeconfig that names no usable target. The message is one line for the user. */
export class TargetError extends Error {}

/** Reads the target of a context (the current one when none is named) from a kubeconfig file. */
export function targetFromKubeconfig(file: string, context?: string): Target {
  try {
    const config = parse(readFileSync(file, 'utf8'));
    return targetOf(config, { file, folder: dirname(resolve(file)) }, context ?? config?.['current-context']);
  } catch (error) {
    if (error instanceof TargetError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new TargetError(`there is no ${(error as NodeJS.ErrnoException).path}`);
    throw new TargetError(
      `cannot read the kubeconfig ${file}: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`,
    );
  }
}

interface Place {
  readonly file: string;
  /** Paths in the file start here. */
  readonly folder: string;
}

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : []);
const named = (list: Json, wanted: Json): Json => listOf(list).find((one) => one?.name === wanted);

/** @throws TargetError */
function targetOf(config: Json, place: Place, name: string | undefined): Target {
  const { file, folder } = place;
  const context = contextOf(config, file, name);
  const cluster = named(config?.clusters, context?.cluster)?.cluster;
  if (typeof cluster?.server !== 'string') throw new TargetError(`the kubeconfig ${file} has no current cluster`);
  if (!isHttpAddress(cluster.server))
    throw new TargetError(`the kubeconfig ${file} has a server that is no http or https address: ${cluster.server}`);
  const user = userOf(config, file, context.user);
  refuseDetours(file, user, cluster);
  const certificateAuthority = textOf(place, cluster, 'certificate-authority');
  const server = cluster.server.replace(/\/+$/, '');
  return {
    url: server,
    ...(certificateAuthority ? { certificateAuthority } : {}),
    ...(cluster['insecure-skip-tls-verify'] ? { insecure: true } : {}),
    ...(cluster['tls-server-name'] ? { serverName: cluster['tls-server-name'] } : {}),
    ...credentialsOf(place, user),
    ...(user.exec
      ? { plugin: { exec: user.exec, cluster: toldOf({ ...cluster, server }, certificateAuthority), folder } }
      : {}),
  };
}

/** What stands under the name of a context; undefined where none is named. @throws TargetError */
function contextOf(config: Json, file: string, name: string | undefined): Json {
  const found = named(config?.contexts, name ?? '');
  if (found || !name) return found?.context;
  const names = listOf(config?.contexts).flatMap((one) => one?.name ?? []);
  throw new TargetError(
    `the kubeconfig ${file} has no context ${name}${meant(name, names)}; it has ${names.join(', ') || 'none'}`,
  );
}

/** Nobody, where the context names none. @throws TargetError for one whom the file does not know: he would be judged as nobody */
function userOf(config: Json, file: string, name: Json): Json {
  const found = named(config?.users, name);
  if (name && !found) throw new TargetError(`the kubeconfig ${file} has no user ${name}`);
  return found?.user ?? {};
}

/** The content of `<member>-data`, in base64, or else of the file that `<member>` names. @throws TargetError */
function textOf({ file, folder }: Place, part: Json, member: string): string | undefined {
  const [data, path] = [part[`${member}-data`], part[member]];
  if (typeof (data ?? '') !== 'string' || typeof (path ?? '') !== 'string')
    throw new TargetError(`the kubeconfig ${file} has a ${member} that is no text`);
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  return path ? readFileSync(resolve(folder, path), 'utf8') : undefined;
}

/** @throws TargetError */
function credentialsOf(place: Place, user: Json): Partial<Target> {
  const clientCertificate = textOf(place, user, 'client-certificate');
  const clientKey = textOf(place, user, 'client-key');
  if (!clientCertificate !== !clientKey)
    throw new TargetError(`the kubeconfig ${place.file} has a client certificate without its key, or a key alone`);
  const token = user.tokenFile ? readFileSync(resolve(place.folder, user.tokenFile), 'utf8').trim() : user.token;
  return {
    ...(token ? { token } : {}),
    ...(user.username ? { username: user.username, password: user.password ?? '' } : {}),
    ...(clientCertificate && clientKey ? { clientCertificate, clientKey } : {}),
  };
}

/** Who means to act as somebody else must not be judged for with all that they may do themselves. @throws TargetError */
function refuseDetours(file: string, user: Json, cluster: Json): void {
  const detour = user.as ? `acts as ${user.as}` : cluster['proxy-url'] ? 'goes through a proxy (proxy-url)' : undefined;
  if (detour) throw new TargetError(`the kubeconfig ${file} ${detour}, which the suite does not`);
}

/** Under this name a cluster has what its credential plugin is to be told. */
const pluginExtension = 'client.authentication.k8s.io/exec';

/** What a credential plugin is told of the cluster. */
function toldOf(cluster: Json, authority: string | undefined): Json {
  const config = cluster.extensions?.find?.((one: Json) => one.name === pluginExtension)?.extension;
  return {
    server: cluster.server,
    ...(authority ? { 'certificate-authority-data': Buffer.from(authority).toString('base64') } : {}),
    ...(cluster['insecure-skip-tls-verify'] ? { 'insecure-skip-tls-verify': true } : {}),
    ...(cluster['tls-server-name'] ? { 'tls-server-name': cluster['tls-server-name'] } : {}),
    ...(config === undefined ? {} : { config }),
  };
}
