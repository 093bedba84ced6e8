import { resolve } from 'node:path';

/** How a server is reached, as an administrator. */
export interface Access {
  readonly url: string;
  /** PEM. */
  readonly certificateAuthority: string;
  /** Where the authority is read from instead, each time anew. */
  readonly authorityFile?: string;
  readonly token: string;
}

/** What the cluster, the user and the context of a server's own kubeconfig are called. */
export const ownName = 'touchstone';

/** A client configuration (JSON, which is YAML) that logs in with a token. */
export function kubeconfigFor({ url, certificateAuthority, authorityFile, token }: Access): string {
  const name = ownName;
  const authority = authorityFile
    ? { 'certificate-authority': resolve(authorityFile) }
    : { 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') };
  return `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server: url, ...authority } }],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    },
    null,
    2,
  )}\n`;
}
