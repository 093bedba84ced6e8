import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mounts } from './mounts.ts';

/** Where programs that run in a cluster look for what the account of their pod has to show. */
const accountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

interface Place {
  readonly home: string;
  readonly server: string;
  readonly namespace: string;
  readonly mounts: Mounts;
}

/**
 * Leads programs to the server as the account of their pod, by a kubeconfig in their home: nothing is mounted for a
 * process, so that they find no token where they look first.
 */
export function writeKubeconfig({ home, server, namespace, mounts }: Place): void {
  const account = mounts.find(({ path }) => path === accountPath)?.real;
  const file = join(home, '.kube', 'config');
  const tokenFile = join(account ?? '', 'token');
  if (!account || !existsSync(tokenFile) || existsSync(file)) return;
  const name = 'in-cluster';
  // Not every library knows of files with tokens, which are renewed.
  const user = { tokenFile, token: readFileSync(tokenFile, 'utf8') };
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': name },
    clusters: [{ name, cluster: { server, 'certificate-authority': join(account, 'ca.crt') } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
  };
  mkdirSync(join(home, '.kube'), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(config)}\n`, { mode: 0o600 });
}
