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

/** How servers behind this one know requests that it passes on. */
export interface PublishedProxy {
  /** PEM of the authority of its client certificate. */
  readonly authority: string;
  /** Common names that the certificate may have; none: any. */
  readonly allowedNames: readonly string[];
  /** Headers, and beginnings of headers, that tell for whom it asks. */
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeadersPrefix: readonly string[];
}

function proxyOf(options: Published): PublishedProxy | undefined {
  if (!options.requestheaderClientCaFile) return undefined;
  return {
    authority: readFileSync(options.requestheaderClientCaFile, 'utf8'),
    allowedNames: options.requestheaderAllowedNames,
    usernameHeaders: options.requestheaderUsernameHeaders,
    groupHeaders: options.requestheaderGroupHeaders,
    extraHeadersPrefix: options.requestheaderExtraHeadersPrefix,
  };
}

const authorityName = 'requestheader-client-ca-file';

/** What servers behind this one need to know to trust the same clients, by the names under which they look for it. */
function publishedData(
  { clientCaFile }: Published,
  proxy: PublishedProxy | undefined,
): Readonly<Record<string, string>> {
  return {
    ...(clientCaFile && { 'client-ca-file': readFileSync(clientCaFile, 'utf8') }),
    ...(proxy && {
      [authorityName]: proxy.authority,
      'requestheader-allowed-names': JSON.stringify(proxy.allowedNames),
      'requestheader-username-headers': JSON.stringify(proxy.usernameHeaders),
      'requestheader-group-headers': JSON.stringify(proxy.groupHeaders),
      'requestheader-extra-headers-prefix': JSON.stringify(proxy.extraHeadersPrefix),
    }),
  };
}

const certificates = /-+BEGIN CERTIFICATE-+[^-]+-+END CERTIFICATE-+/g;
/** How many authorities are told at most. */
const mostAuthorities = 8;

/** The proxy beside those of other servers over the same objects, which have authorities of their own. */
function besideOthers(proxy: PublishedProxy, told: string | undefined): PublishedProxy {
  const own = proxy.authority.trim();
  const others = (told?.match(certificates) ?? []).filter((each) => each !== own);
  return { ...proxy, authority: `${[...others.slice(1 - mostAuthorities), own].join('\n')}\n` };
}

const fieldsOf = (data: object) => Object.fromEntries(Object.keys(data).map((name) => [`f:${name}`, {}]));

/**
 * Keeps it in the ConfigMap where it is looked for, which is there already. @param own the server as a proxy, where the options name none
 * @throws Error when a file cannot be read
 */
export async function publishAuthentication(
  { store, clock }: { readonly store: Pick<Store, 'update'>; readonly clock: Clock },
  options: Published,
  own?: PublishedProxy,
): Promise<void> {
  const named = proxyOf(options);
  await store.update(key, ({ value }) => {
    const told = value['data'] as Readonly<Record<string, string>> | undefined;
    const data = publishedData(options, named ?? (own && besideOthers(own, told?.[authorityName])));
    const next = { ...told, ...data };
    if (deepEqual(next, value['data'] ?? {})) return { keep: true };
    const others = value.metadata.managedFields?.filter(({ manager }) => manager !== ownManager) ?? [];
    const entry = ownEntry(value.apiVersion, { 'f:data': { '.': {}, ...fieldsOf(data) } }, clock.now());
    return { write: { ...value, metadata: { ...value.metadata, managedFields: [...others, entry] }, data: next } };
  });
}
