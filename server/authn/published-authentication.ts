import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deepEqual } from '../base/deep-equal.ts';
import type { Clock } from '../base/time/clock.ts';
import { ownEntry, ownManager, wholeFields } from '../patch/apply/own-entry.ts';
import { keyBelow, kindPrefix } from '../store/object-keys.ts';
import type { Store } from '../store/store.ts';
import { bundlePattern } from './certificate-authority.ts';
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

type Told = Readonly<Record<string, string>>;

/** What servers behind this one need to know to trust the same clients, by the names under which they look for it. */
function publishedData({ clientCaFile }: Published, proxy: PublishedProxy | undefined): Told {
  return {
    ...(clientCaFile && { 'client-ca-file': readFileSync(clientCaFile, 'utf8') }),
    ...(proxy && {
      'requestheader-client-ca-file': proxy.authority,
      'requestheader-allowed-names': JSON.stringify(proxy.allowedNames),
      'requestheader-username-headers': JSON.stringify(proxy.usernameHeaders),
      'requestheader-group-headers': JSON.stringify(proxy.groupHeaders),
      'requestheader-extra-headers-prefix': JSON.stringify(proxy.extraHeadersPrefix),
    }),
  };
}

/** How many authorities of others are told at most. */
const mostOthers = 7;

/** Authorities beside those that are told already, by other servers over the same objects; what has run out is not. */
function withAuthorities(own: string, told: string, now: number): string {
  const others = (told.match(bundlePattern) ?? []).filter((each) => !own.includes(each) && !isOver(each, now));
  return others.length > 0 ? `${[...others.slice(-mostOthers), own.trim()].join('\n')}\n` : own;
}

function isOver(pem: string, now: number): boolean {
  try {
    return Date.parse(new X509Certificate(pem).validTo) < now;
  } catch {
    return false;
  }
}

/** Names beside those that are told already. */
const withNames = (own: string, told: string): string =>
  JSON.stringify([...new Set([...namesIn(told), ...namesIn(own)])]);

function namesIn(list: string): readonly unknown[] {
  try {
    const names: unknown = JSON.parse(list);
    return Array.isArray(names) ? names : [];
  } catch {
    return [];
  }
}

/** What this server tells beside what others did: who is known by one of them is known to all that stand behind. */
const besideOthers = (own: Told, told: Told, now: number): Told =>
  Object.fromEntries(
    Object.entries(own).map(([name, text]) => {
      const before = told[name];
      if (before === undefined) return [name, text];
      return [name, name.endsWith('-ca-file') ? withAuthorities(text, before, now) : withNames(text, before)];
    }),
  );

/**
 * Keeps it in the ConfigMap where it is looked for, which is there already. @param own the server as a proxy, where the options name none
 * @throws Error when a file cannot be read
 */
export async function publishAuthentication(
  { store, clock }: { readonly store: Pick<Store, 'update'>; readonly clock: Clock },
  options: Published,
  own?: PublishedProxy,
): Promise<void> {
  const published = publishedData(options, proxyOf(options) ?? own);
  await store.update(key, ({ value }) => {
    const told = (value['data'] ?? {}) as Told;
    const data = besideOthers(published, told, clock.now());
    const next = { ...told, ...data };
    if (deepEqual(next, told)) return { keep: true };
    const others = value.metadata.managedFields?.filter(({ manager }) => manager !== ownManager) ?? [];
    const entry = ownEntry(value.apiVersion, { 'f:data': { '.': {}, ...wholeFields(data) } }, clock.now());
    return { write: { ...value, metadata: { ...value.metadata, managedFields: [...others, entry] }, data: next } };
  });
}
