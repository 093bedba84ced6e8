import { type Service, sendJson, serveHttps } from './https-service.ts';
import { publicJwk } from './jwt.ts';
import type { Lab } from './lab.ts';
import { issuerKeysIn } from './materials.ts';

/** The OpenID Connect issuer that the flags of a lab name: its discovery document and its keys. */
export function startIssuer(lab: Lab): Promise<Service> {
  const { issuerUrl, folder } = lab;
  const documents = new Map<string, () => unknown>([
    [
      '/.well-known/openid-configuration',
      () => ({
        issuer: issuerUrl,
        jwks_uri: `${issuerUrl}/keys`,
        authorization_endpoint: `${issuerUrl}/authorize`,
        token_endpoint: `${issuerUrl}/token`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    ],
    ['/keys', () => ({ keys: issuerKeysIn(folder).map(publicJwk) })],
  ]);
  return serveHttps(Number(new URL(issuerUrl).port), lab.certificate('service'), ({ url = '' }, _, response) => {
    const document = documents.get(url)?.();
    sendJson(response, document ?? { error: 'not found' }, document ? 200 : 404);
  });
}
