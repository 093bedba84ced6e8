import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
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

function targetOf(config: Json, { file, folder }: Place, name: string | undefined): Target {
  const named = (list: Json, wanted: string): Json => list?.find?.((one: Json) => one?.name === wanted);
  const context = named(config?.contexts, name ?? '')?.context;
  if (!context && name) {
    const names = (config?.contexts ?? []).flatMap((one: Json) => one?.name ?? []);
    throw new TargetError(
      `the kubeconfig ${file} has no context ${name}${meant(name, names)}; it has ${names.join(', ') || 'none'}`,
    );
  }
  const cluster = named(config?.clusters, context?.cluster)?.cluster;
  if (typeof cluster?.server !== 'string') throw new TargetError(`the kubeconfig ${file} has no current cluster`);
  const user = named(config?.users, context.user)?.user ?? {};
  refuseDetours(file, user, cluster);
  const text = (part: Json, member: string): string | undefined => {
    if (part[`${member}-data`]) return Buffer.from(part[`${member}-data`], 'base64').toString('utf8');
    return part[member] ? readFileSync(resolve(folder, part[member]), 'utf8') : undefined;
  };
  const certificateAuthority = text(cluster, 'certificate-authority');
  const clientCertificate = text(user, 'client-certificate');
  const clientKey = text(user, 'client-key');
  const token = user.tokenFile ? readFileSync(resolve(folder, user.tokenFile), 'utf8').trim() : user.token;
  const server = cluster.server.replace(/\/+$/, '');
  return {
    url: server,
    ...(certificateAuthority ? { certificateAuthority } : {}),
    ...(cluster['insecure-skip-tls-verify'] ? { insecure: true } : {}),
    ...(cluster['tls-server-name'] ? { serverName: cluster['tls-server-name'] } : {}),
    ...(token ? { token } : {}),
    ...(user.username ? { username: user.username, password: user.password ?? '' } : {}),
    ...(clientCertificate && clientKey ? { clientCertificate, clientKey } : {}),
    ...(user.exec
      ? { plugin: { exec: user.exec, cluster: toldOf({ ...cluster, server }, certificateAuthority), folder } }
      : {}),
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
