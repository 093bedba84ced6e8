import type { Flag } from '../base/flag.ts';

const string = (name: string, help: string, standard = ''): Flag => ({ name, type: 'string', default: standard, help });
const strings = (name: string, help: string, standard = ''): Flag => ({
  name,
  type: 'strings',
  default: standard,
  help,
});
const boolean = (name: string, standard: boolean, help: string): Flag => ({
  name,
  type: 'boolean',
  default: String(standard),
  help,
});

/** Signatures that an OpenID Connect issuer may use; none with a shared secret. */
const oidcAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
];

/** Flags of authentication, in the order in which callers are looked for. */
export const authnFlags: readonly Flag[] = [
  boolean(
    'anonymous-auth',
    true,
    'Whether requests without credentials are those of system:anonymous. Never with the authorization mode AlwaysAllow.',
  ),
  string(
    'requestheader-client-ca-file',
    'PEM bundle of the authorities whose client certificates an authenticating proxy must show.',
  ),
  strings('requestheader-allowed-names', 'Common names that the certificate of the proxy may have; none: any.'),
  strings(
    'requestheader-username-headers',
    'Headers in which the proxy gives the user name; the first with a value counts.',
  ),
  strings('requestheader-group-headers', 'Headers in which the proxy gives groups.'),
  strings('requestheader-extra-headers-prefix', 'Beginnings of the headers in which the proxy gives extras.'),
  string('client-ca-file', 'PEM bundle of the authorities of client certificates; read again when it changes.'),
  string('token-auth-file', 'CSV of static tokens: token, user name, user uid and optionally groups.'),
  boolean('enable-bootstrap-token-auth', false, 'Whether bootstrap tokens in Secrets of kube-system authenticate.'),
  strings(
    'service-account-issuer',
    'Issuer of service account tokens; the first is written into them, each is accepted.',
    'https://kubernetes.default.svc',
  ),
  strings(
    'service-account-key-file',
    'PEM file with RSA or ECDSA keys, private or public, that verify service account tokens. Default: the file of --tls-private-key-file.',
  ),
  string('service-account-signing-key-file', 'PEM file of the private key that signs service account tokens.'),
  boolean(
    'service-account-lookup',
    true,
    'Whether service account tokens of Secrets count only as long as the Secret holds them.',
  ),
  {
    name: 'service-account-max-token-expiration',
    type: 'duration',
    default: '0s',
    help: 'Longest life of a requested service account token; 0: no limit.',
  },
  boolean(
    'service-account-extend-token-expiration',
    true,
    'Whether mounted service account tokens live on for a year.',
  ),
  string(
    'service-account-jwks-uri',
    'Where the discovery document of the service account issuer says that its keys are.',
  ),
  strings('api-audiences', 'What tokens for this server are meant for; none: the service account issuers.'),
  string('oidc-issuer-url', 'https URL of the OpenID Connect issuer.'),
  string('oidc-client-id', 'Client that all id tokens must be issued for.'),
  string('oidc-username-claim', 'Claim of an id token that is the user name.', 'sub'),
  string(
    'oidc-username-prefix',
    'What is put before user names of id tokens; - for nothing. Default: the issuer and #, unless the claim is email.',
  ),
  string('oidc-groups-claim', 'Claim of an id token that holds the groups.'),
  string('oidc-groups-prefix', 'What is put before groups of id tokens.'),
  strings('oidc-required-claim', 'key=value that an id token must have; may be repeated.'),
  string('oidc-ca-file', 'PEM bundle of the authorities of the issuer; without it those of the host.'),
  { ...strings('oidc-signing-algs', 'Accepted signatures of id tokens.', 'RS256'), oneOf: oidcAlgorithms },
  string('authentication-token-webhook-config-file', 'Client configuration file of the service that judges tokens.'),
  {
    name: 'authentication-token-webhook-cache-ttl',
    type: 'duration',
    default: '2m0s',
    help: 'How long answers of the token webhook are kept.',
  },
  {
    ...string(
      'authentication-token-webhook-version',
      'Version of the TokenReview sent to the token webhook: v1 or v1beta1.',
      'v1beta1',
    ),
    oneOf: ['v1', 'v1beta1'],
  },
];
