/** How callers are authenticated; each field is the flag of the same name in kebab case. Missing: not set. */
export interface AuthnOptions {
  /** Without effect where the authorization mode is AlwaysAllow (`authn.anonymous.always-allow`). */
  readonly anonymousAuth: boolean;
  /** PEM bundle of the authorities of client certificates; read again when it changes. */
  readonly clientCaFile?: string;
  /** CSV of static tokens. */
  readonly tokenAuthFile?: string;
  readonly enableBootstrapTokenAuth: boolean;

  /** `iss` of service account tokens; the first is written, each is accepted. */
  readonly serviceAccountIssuer: readonly string[];
  /** PEM files whose keys, private or public, verify service account tokens; empty: that of `tlsPrivateKeyFile`. */
  readonly serviceAccountKeyFile: readonly string[];
  readonly tlsPrivateKeyFile?: string;
  /** PEM file of the private key that signs service account tokens. */
  readonly serviceAccountSigningKeyFile?: string;
  /** Whether tokens of Secrets count only as long as the Secret holds them. */
  readonly serviceAccountLookup: boolean;
  /** Milliseconds that no requested token outlives; 0: no limit. */
  readonly serviceAccountMaxTokenExpiration: number;
  /** Whether mounted tokens live on for a year. */
  readonly serviceAccountExtendTokenExpiration: boolean;
  /** Where the issuer's discovery document says that its keys are. */
  readonly serviceAccountJwksUri?: string;
  /** What tokens for this server are meant for; empty: the issuers. */
  readonly apiAudiences: readonly string[];

  readonly oidcIssuerUrl?: string;
  readonly oidcClientId?: string;
  readonly oidcUsernameClaim: string;
  /** Missing: `<issuer>#`, or nothing when the claim is `email`; `-`: nothing. */
  readonly oidcUsernamePrefix?: string;
  readonly oidcGroupsClaim?: string;
  readonly oidcGroupsPrefix?: string;
  /** `key=value` each. */
  readonly oidcRequiredClaim: readonly string[];
  readonly oidcCaFile?: string;
  readonly oidcSigningAlgs: readonly string[];

  readonly authenticationTokenWebhookConfigFile?: string;
  /** Milliseconds. */
  readonly authenticationTokenWebhookCacheTtl: number;
  readonly authenticationTokenWebhookVersion: string;

  readonly requestheaderClientCaFile?: string;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
}

function oidcProblems(options: AuthnOptions): string[] {
  const { oidcIssuerUrl: url, oidcClientId: client, oidcRequiredClaim } = options;
  if (!url && !client) return [];
  const problems: string[] = [];
  if (!url || !client) problems.push('--oidc-issuer-url and --oidc-client-id need each other');
  if (url && (!URL.canParse(url) || new URL(url).protocol !== 'https:')) {
    problems.push('--oidc-issuer-url must be an https URL');
  }
  for (const claim of oidcRequiredClaim) {
    if (claim.indexOf('=') < 1) problems.push(`--oidc-required-claim: ${JSON.stringify(claim)} is not key=value`);
  }
  return problems;
}

function serviceAccountProblems(options: AuthnOptions): string[] {
  const problems: string[] = [];
  const { serviceAccountIssuer: issuers, serviceAccountMaxTokenExpiration: longest } = options;
  if (!issuers.length) problems.push('--service-account-issuer needs at least one issuer');
  for (const issuer of issuers) {
    if (issuer.includes(':') && !URL.canParse(issuer)) problems.push('--service-account-issuer: a malformed URL');
  }
  if (longest !== 0 && (longest < 3_600_000 || longest > 2 ** 32 * 1000)) {
    problems.push('--service-account-max-token-expiration must be between 1 hour and 2^32 seconds');
  }
  return problems;
}

/** What is wrong with the options, one sentence each; empty when the server can start with them. */
export function checkAuthnOptions(options: AuthnOptions): readonly string[] {
  const problems = [...oidcProblems(options), ...serviceAccountProblems(options)];
  if (options.requestheaderClientCaFile && !options.requestheaderUsernameHeaders.length) {
    problems.push('--requestheader-client-ca-file needs --requestheader-username-headers');
  }
  if (options.authenticationTokenWebhookCacheTtl < 0) {
    problems.push('--authentication-token-webhook-cache-ttl must not be negative');
  }
  return problems;
}
