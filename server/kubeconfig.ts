import { chmodSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './base/make-folder.ts';

/** A client configuration (JSON, which is YAML) that logs in with a token. */
export function kubeconfigFor({
  url,
  certificateAuthority,
  token,
}: {
  readonly url: string;
  readonly certificateAuthority: string;
  readonly token: string;
}): string {
  const name = 'touchstone';
  return `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name,
          cluster: { server: url, 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') },
        },
      ],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    },
    null,
    2,
  )}\n`;
}

/** Writes a file with a secret in it: readable by its owner alone, also when it was there before. */
export function writeSecretFile(file: string, text: string): void {
  makeFolder(dirname(file));
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}
