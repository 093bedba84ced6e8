import { readFileSync } from 'node:fs';
import { KubeConfig } from '@kubernetes/client-node';
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
  return {
    url: cluster.server.replace(/\/+$/, ''),
    ...(certificateAuthority ? { certificateAuthority } : {}),
    ...(cluster.skipTLSVerify ? { insecure: true } : {}),
    ...(cluster.tlsServerName ? { serverName: cluster.tlsServerName } : {}),
    ...(user?.token ? { token: user.token } : {}),
    ...(user?.username ? { username: user.username, password: user.password ?? '' } : {}),
    ...(clientCertificate && clientKey ? { clientCertificate, clientKey } : {}),
  };
}
