import { readFileSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { deepEqual } from '../base/deep-equal.ts';
import { ownEntry, ownManager } from '../base/own-entry.ts';
import { keyBelow, kindPrefix } from '../store/object-keys.ts';
import type { Store } from '../store/store.ts';
import type { AuthnOptions } from './options.ts';

type Published = Pick<
  AuthnOptions,
  | 'clientCaFile'
  | 'requestheaderClientCaFile'
  | 'requestheaderAllowedNames'
  | 'requestheaderUsernameHeaders'
  | 'requestheaderGroupHeaders'
  | 'requestheaderExtraHeadersPrefix'
>;

const configMaps = { group: '', resource: 'configmaps' };
const key = keyBelow(kindPrefix(configMaps), 'kube-system', 'extension-apiserver-authentication');

/** What servers behind this one need to know to trust the same clients, by the names under which they look for it. */
function publishedData(options: Published): Readonly<Record<string, string>> {
  const { clientCaFile, requestheaderClientCaFile } = options;
  return {
    ...(clientCaFile && { 'client-ca-file': readFileSync(clientCaFile, 'utf8') }),
    ...(requestheaderClientCaFile && {
      'requestheader-client-ca-file': readFileSync(requestheaderClientCaFile, 'utf8'),
      'requestheader-allowed-names': JSON.stringify(options.requestheaderAllowedNames),
      'requestheader-username-headers': JSON.stringify(options.requestheaderUsernameHeaders),
      'requestheader-group-headers': JSON.stringify(options.requestheaderGroupHeaders),
      'requestheader-extra-headers-prefix': JSON.stringify(options.requestheaderExtraHeadersPrefix),
    }),
  };
}

const fieldsOf = (data: object) => Object.fromEntries(Object.keys(data).map((name) => [`f:${name}`, {}]));

/** Keeps it in the ConfigMap where it is looked for, which is there already. @throws Error when a file cannot be read */
export async function publishAuthentication(
  { store, clock }: { readonly store: Pick<Store, 'update'>; readonly clock: Clock },
  options: Published,
): Promise<void> {
  const data = publishedData(options);
  await store.update(key, ({ value }) => {
    const next = { ...(value['data'] as object | undefined), ...data };
    if (deepEqual(next, value['data'] ?? {})) return { keep: true };
    const others = value.metadata.managedFields?.filter(({ manager }) => manager !== ownManager) ?? [];
    const own = ownEntry(value.apiVersion, { 'f:data': { '.': {}, ...fieldsOf(data) } }, clock.now());
    return { write: { ...value, metadata: { ...value.metadata, managedFields: [...others, own] }, data: next } };
  });
}
