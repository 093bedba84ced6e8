import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { freshly } from '../base/caches/freshly.ts';
import type { Clock } from '../base/time/clock.ts';
import type { User } from '../base/user.ts';
import { JsonCaller } from '../http-client/json-call.ts';
import { readRemoteService } from '../http-client/kubeconfig.ts';
import type { Lookup, Operation } from '../kinds/strategy.ts';
import { authentication, bearerToken, judgeToken } from './authentication.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import { bootstrapToken } from './bootstrap-token.ts';
import { CertificateAuthority, followAuthorityFile, readBundle } from './certificate-authority.ts';
import { clientCertificate } from './client-certificate.ts';
import { openIdConnect } from './oidc.ts';
import { IssuerKeys } from './oidc-keys.ts';
import type { AuthnOptions } from './options.ts';
import { proxyHeaders } from './proxy-headers.ts';
import { type ServiceAccountIssuer, serviceAccountIssuer } from './service-account/issuer.ts';
import { loadServiceAccountKeys, type ServiceAccountKeys } from './service-account/keys.ts';
import { legacyServiceAccountToken } from './service-account/legacy-token.ts';
import { serviceAccountToken } from './service-account/token.ts';
import { tokenRequest } from './service-account/token-request.ts';
import { staticTokenFile } from './static-token-file.ts';
import type { TokenAuthenticator } from './token-authenticator.ts';
import { tokenReview } from './token-review.ts';
import { tokenWebhook } from './token-webhook.ts';
import { webSocketToken } from './web-socket-token.ts';

/** All of authentication, as the server uses it: one authenticator that stands for all, and what goes with it. */
export interface Authentication extends Authenticator {
  /** @throws StatusError 401 */
  authenticate(credentials: Credentials): Promise<User> | User;
  /** The kind `tokenreviews` of `authentication.k8s.io/v1`. */
  readonly tokenReview: Operation;
  /** The subresource `token` of `serviceaccounts`. */
  readonly tokenRequest: Operation;
  readonly serviceAccountIssuer: ServiceAccountIssuer;
  /** Signs what `serviceAccountIssuer` vouches for. */
  readonly serviceAccountSigningKey: KeyObject;
  /** PEM of the authorities whose certificates clients may show: the TLS server names them to clients. */
  clientAuthorities(): readonly string[];
  /** Calls back when `clientAuthorities` changed. */
  onAuthoritiesChanged(listener: () => void): void;
  /** Ends what watches files and keeps connections. */
  stop(): void;
}

interface Parts {
  readonly options: AuthnOptions;
  readonly lookup: Lookup;
  readonly clock: Clock;
  readonly keys: ServiceAccountKeys;
  /** What tokens for this server are meant for. */
  readonly audiences: readonly string[];
  readonly closers: (() => void)[];
}

function oidc({ options, clock, audiences, closers }: Parts): TokenAuthenticator[] {
  const { oidcIssuerUrl: issuerUrl, oidcClientId: clientId, oidcUsernameClaim: usernameClaim } = options;
  if (!issuerUrl || !clientId) return [];
  const standard = usernameClaim === 'email' ? '' : `${issuerUrl}#`;
  const prefix = options.oidcUsernamePrefix;
  const ca = options.oidcCaFile ? readFileSync(options.oidcCaFile, 'utf8') : undefined;
  const caller = new JsonCaller(() => ({ url: new URL(issuerUrl), insecureSkipVerify: false, ...(ca && { ca }) }), {
    timeoutMs: 5000,
    maxBytes: 1 << 20,
  });
  closers.push(() => caller.close());
  const keys = new IssuerKeys(issuerUrl, (url) => caller.get(url), clock);
  const settings = {
    issuerUrl,
    clientId,
    usernameClaim,
    usernamePrefix: prefix === '-' ? '' : prefix || standard,
    groupsClaim: options.oidcGroupsClaim ?? '',
    groupsPrefix: options.oidcGroupsPrefix ?? '',
    requiredClaims: new Map(options.oidcRequiredClaim.map(splitClaim)),
    signingAlgorithms: options.oidcSigningAlgs,
    serverAudiences: audiences,
  };
  return [openIdConnect(settings, keys, clock)];
}

function splitClaim(claim: string): [key: string, value: string] {
  const equals = claim.indexOf('=');
  return [claim.slice(0, equals), claim.slice(equals + 1)];
}

function webhook({ options, clock, audiences, closers }: Parts): TokenAuthenticator[] {
  const { authenticationTokenWebhookConfigFile: file } = options;
  if (!file) return [];
  const caller = new JsonCaller(freshly(clock, () => readRemoteService(file)));
  closers.push(() => caller.close());
  const settings = {
    version: options.authenticationTokenWebhookVersion === 'v1' ? ('v1' as const) : ('v1beta1' as const),
    cacheTtlMs: options.authenticationTokenWebhookCacheTtl,
    serverAudiences: audiences,
  };
  return [tokenWebhook((review) => caller.post(review), settings, clock)];
}

/** The ways to judge a bearer token, in order: those that need no question to another service come first. */
function tokenAuthenticators(parts: Parts): readonly TokenAuthenticator[] {
  const { options, lookup, clock, keys, audiences } = parts;
  const { verifying } = keys;
  return [
    ...(options.tokenAuthFile ? [staticTokenFile(options.tokenAuthFile, audiences)] : []),
    ...(options.enableBootstrapTokenAuth ? [bootstrapToken(lookup, clock, audiences)] : []),
    serviceAccountToken(
      { issuers: options.serviceAccountIssuer, keys: verifying, serverAudiences: audiences },
      lookup,
      clock,
    ),
    legacyServiceAccountToken(
      { keys: verifying, serverAudiences: audiences, lookup: options.serviceAccountLookup },
      lookup,
      clock,
    ),
    ...oidc(parts),
    ...webhook(parts),
  ];
}

/** The ways to know a caller, in order: proxy headers, client certificate, bearer token, also that of a WebSocket. */
function authenticators(
  { options, audiences }: Parts,
  tokens: readonly TokenAuthenticator[],
  authorities: TrustedAuthorities,
): readonly Authenticator[] {
  const headers = {
    usernameHeaders: options.requestheaderUsernameHeaders,
    groupHeaders: options.requestheaderGroupHeaders,
    extraHeaderPrefixes: options.requestheaderExtraHeadersPrefix,
    allowedNames: options.requestheaderAllowedNames,
  };
  return [
    ...(authorities.proxy ? [proxyHeaders(authorities.proxy, headers)] : []),
    ...authorities.clients.map(clientCertificate),
    bearerToken(tokens, audiences),
    webSocketToken(tokens, audiences),
  ];
}

/** Credentials that the server hands out itself. */
export interface OwnCredentials {
  readonly tokens?: readonly TokenAuthenticator[];
  /** PEM of an authority whose client certificates are trusted beside those of `clientCaFile`. */
  readonly clientAuthority?: string;
  /** PEM of the key that signs service account tokens unless the options name one. */
  readonly serviceAccountKey?: string;
}

/** Keys of service accounts: of files of their own, or that of the server's certificate. */
function keysOf(options: AuthnOptions, own: OwnCredentials): ServiceAccountKeys {
  const { serviceAccountKeyFile, tlsPrivateKeyFile, serviceAccountSigningKeyFile } = options;
  const standardKeyFile = tlsPrivateKeyFile ? [tlsPrivateKeyFile] : [];
  const keyFiles = serviceAccountKeyFile.length ? serviceAccountKeyFile : standardKeyFile;
  return loadServiceAccountKeys(keyFiles, serviceAccountSigningKeyFile, own.serviceAccountKey);
}

/** Whose certificates count. */
interface TrustedAuthorities {
  /** Of proxies that name users in headers. */
  readonly proxy: CertificateAuthority | undefined;
  readonly clients: readonly CertificateAuthority[];
  readonly all: readonly CertificateAuthority[];
  /** Those that are read from files, which may change. */
  readonly followed: readonly ReturnType<typeof followAuthorityFile>[];
}

function trustedAuthorities(options: AuthnOptions, own: OwnCredentials, clock: Clock): TrustedAuthorities {
  const follow = (file: string | undefined) => (file ? followAuthorityFile(file, clock) : undefined);
  const proxy = follow(options.requestheaderClientCaFile);
  const client = follow(options.clientCaFile);
  const generated = own.clientAuthority ? [new CertificateAuthority(readBundle(own.clientAuthority), clock)] : [];
  const clients = [...(client ? [client.authority] : []), ...generated];
  return {
    proxy: proxy?.authority,
    clients,
    all: [...(proxy ? [proxy.authority] : []), ...clients],
    followed: [proxy, client].filter((each) => each !== undefined),
  };
}

/** What authentication is built from. */
interface AuthenticationParts {
  /** Checked (see `checkAuthnOptions`). */
  readonly options: AuthnOptions;
  readonly lookup: Lookup;
  readonly clock: Clock;
  /** What holds when `anonymousAuth` is not set. */
  readonly anonymousAllowed: boolean;
  /** Asked first. */
  readonly own?: OwnCredentials;
}

/** Builds authentication. @throws Error when a file cannot be read or is malformed */
export function buildAuthentication(given: AuthenticationParts): Authentication {
  const { options, lookup, clock, anonymousAllowed, own = {} } = given;
  const keys = keysOf(options, own);
  const audiences = options.apiAudiences.length ? options.apiAudiences : options.serviceAccountIssuer;
  const authorities = trustedAuthorities(options, own, clock);
  const closers = authorities.followed.map(({ stop }) => stop);
  const parts: Parts = { options, lookup, clock, keys, audiences, closers };
  const tokens = [...(own.tokens ?? []), ...tokenAuthenticators(parts)];
  const ways = authenticators(parts, tokens, authorities);
  const anonymousAuth = options.anonymousAuth && anonymousAllowed;
  return {
    name: 'authentication',
    authenticate: authentication(ways, anonymousAuth),
    tokenReview: tokenReview(async (token, asked) => judgeToken(tokens, token, asked), audiences),
    ...serviceAccountTokens(parts),
    clientAuthorities: () => authorities.all.flatMap(({ roots }) => roots.map(String)),
    onAuthoritiesChanged: (listener) => {
      for (const { onReload } of authorities.followed) onReload(listener);
    },
    stop: () => {
      for (const close of closers) close();
    },
  };
}

/** How tokens of service accounts are given out, and what others check them by. */
function serviceAccountTokens({ options, keys: { signing, verifying }, audiences }: Parts) {
  const [issuer = ''] = options.serviceAccountIssuer;
  return {
    tokenRequest: tokenRequest({
      issuer,
      signing,
      serverAudiences: audiences,
      longestSeconds: options.serviceAccountMaxTokenExpiration / 1000,
      extend: options.serviceAccountExtendTokenExpiration,
    }),
    serviceAccountIssuer: serviceAccountIssuer(issuer, verifying, options.serviceAccountJwksUri),
    serviceAccountSigningKey: signing.key,
  };
}
