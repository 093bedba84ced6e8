import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Cluster, KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';
import type { Json } from '../verbs/client.ts';
import type { Target } from './target.ts';

/** A kubeconfig that names no usable target. The message is one line for the user. */
export class TargetError extends Error {}

const fileOrData = (file: string | undefined, data: string | undefined): string | undefined => {
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  return file ? readFileSync(file, 'utf8') : undefined;
};

/** Reads the target of a context (the current one when none is named) from a kubeconfig file. */
export function targetFromKubeconfig(file: string, context?: string): Target {
  const config = new KubeConfig();
  try {
    config.loadFromFile(file);
  } catch (error) {
    throw new TargetError(
      `cannot read the kubeconfig ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (context !== undefined) {
    if (!config.getContextObject(context)) throw new TargetError(`the kubeconfig ${file} has no context ${context}`);
    config.setCurrentContext(context);
  }
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new TargetError(`the kubeconfig ${file} has no current cluster`);
  const user = config.getCurrentUser();
  const certificateAuthority = fileOrData(cluster.caFile, cluster.caData);
  const clientCertificate = fileOrData(user?.certFile, user?.certData);
  const clientKey = fileOrData(user?.keyFile, user?.keyData);
  // Of these the library keeps nothing.
  const raw = parse(readFileSync(file, 'utf8'));
  const { tokenFile } = raw.users?.find((one: Json) => one.name === user?.name)?.user ?? {};
  const token = tokenFile ? readFileSync(resolve(dirname(file), tokenFile), 'utf8').trim() : user?.token;
  return {
    url: cluster.server.replace(/\/+$/, ''),
    ...(certificateAuthority ? { certificateAuthority } : {}),
    ...(cluster.skipTLSVerify ? { insecure: true } : {}),
    ...(cluster.tlsServerName ? { serverName: cluster.tlsServerName } : {}),
    ...(token ? { token } : {}),
    ...(user?.username ? { username: user.username, password: user.password ?? '' } : {}),
    ...(clientCertificate && clientKey ? { clientCertificate, clientKey } : {}),
    ...(user?.exec
      ? { plugin: { exec: user.exec, cluster: toldOf(raw, cluster), folder: dirname(resolve(file)) } }
      : {}),
  };
}

/** Under this name a cluster has what its credential plugin is to be told. */
const pluginExtension = 'client.authentication.k8s.io/exec';

/** What a credential plugin is told of the cluster. */
function toldOf(file: Json, { name, server, caFile, caData, skipTLSVerify, tlsServerName }: Cluster): Json {
  const { extensions } = file.clusters?.find((one: Json) => one.name === name)?.cluster ?? {};
  const config = extensions?.find((one: Json) => one.name === pluginExtension)?.extension;
  const authority = fileOrData(caFile, caData);
  return {
    server,
    ...(authority ? { 'certificate-authority-data': Buffer.from(authority).toString('base64') } : {}),
    ...(skipTLSVerify ? { 'insecure-skip-tls-verify': true } : {}),
    ...(tlsServerName ? { 'tls-server-name': tlsServerName } : {}),
    ...(config === undefined ? {} : { config }),
  };
}
