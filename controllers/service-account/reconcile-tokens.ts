import { readFileSync } from 'node:fs';
import type { ControllerOptions } from '../options.ts';
import { unlessNotFound } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Request } from '../runtime/controller.ts';
import { keyFor, keyOf, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { secrets, serviceAccounts } from '../runtime/resources.ts';
import { accountOf, completed, isStale, type TokenContent } from './legacy-token.ts';

/** Fills token Secrets of living accounts, and deletes those whose account has gone. */
async function reconcile({ key, read, write, client }: Request, content: TokenContent | undefined): Promise<undefined> {
  const secret = read(secrets).find(key);
  const name = secret && accountOf(secret);
  if (!secret || !name) return undefined;
  const namespace = namespaceOf(secret);
  let account = read(serviceAccounts).find(keyFor(namespace, name));
  // Deleting a credential is for good: the server is asked, since the cache may lag behind.
  if (isStale(secret, account)) account = await unlessNotFound(client.get(serviceAccounts, { namespace, name }));
  if (!account || isStale(secret, account)) {
    await write(secrets).delete(secret);
    return undefined;
  }
  const next = content && completed(secret, account, content);
  if (next) await write(secrets).replace(secret, next);
  return undefined;
}

/** @param trusted PEM of the authority that pods verify the server with */
export function serviceAccountTokenLoops(options: ControllerOptions, trusted: string | undefined): readonly Loop[] {
  const { serviceAccountPrivateKey, serviceAccountPrivateKeyFile: file } = options;
  const privateKey = serviceAccountPrivateKey ?? (file && readFileSync(file, 'utf8'));
  const content = privateKey ? { privateKey, ...(trusted && { certificateAuthority: trusted }) } : undefined;
  return [
    {
      name: 'serviceaccount-token',
      watches: [
        itself(secrets, (secret) => accountOf(secret) !== undefined),
        bringing(serviceAccounts, (account, read) =>
          read(secrets)
            .in(namespaceOf(account))
            .filter((secret) => accountOf(secret) === nameOf(account))
            .map(keyOf),
        ),
      ],
      reconcile: (request) => reconcile(request, content),
    },
  ];
}
