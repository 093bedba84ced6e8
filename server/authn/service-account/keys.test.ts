import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { filesIn, temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { makeSelfSigned } from '../../x509/self-signed.ts';
import { ec, otherRsa, privatePem, rsa } from '../jwt.fixture.ts';
import { serviceAccountIssuer } from './issuer.ts';
import { loadServiceAccountKeys, readSigningKey, readVerificationKeys, verifies } from './keys.ts';

const folder = temporaryFolder();
const file = filesIn(folder);
const publicPem = (key = rsa) =>
  createPublicKey(key.key.export({ type: 'pkcs8', format: 'pem' }))
    .export({ type: 'spki', format: 'pem' })
    .toString();
const ids = (keys: readonly { id: string }[]) => keys.map(({ id }) => id);

describe('keys in PEM', () => {
  it('verify, whether private or public, several in one text', () => {
    const text = `${publicPem(rsa)}\nsome text\n${privatePem(ec)}`;
    expect(ids(readVerificationKeys(text))).toEqual([rsa.id, ec.id]);
  });

  it('verify when they come in a certificate', () => {
    const { certificate, key } = makeSelfSigned(['localhost'], new Date(0), new Date(1e12));
    expect(ids(readVerificationKeys(certificate))).toEqual(ids(readVerificationKeys(key)));
  });

  it('have algorithms of their own kind only', () => {
    expect(verifies(rsa).algorithms).toEqual(['RS256', 'RS384', 'RS512']);
    expect(verifies(ec).algorithms).toEqual(['ES256']);
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
      .privateKey.export({ type: 'sec1', format: 'pem' })
      .toString();
    expect(readSigningKey(p384).algorithm).toBe('ES384');
  });

  it('are refused when there is none or it cannot be used', () => {
    expect(() => readVerificationKeys('nothing')).toThrow('no key found');
    const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => readVerificationKeys(ed25519)).toThrow('only RSA keys and ECDSA keys');
    expect(() => readSigningKey(publicPem())).toThrow('no private key found');
    expect(() => readSigningKey('')).toThrow('no private key found');
  });
});

describe('the keys of a server', () => {
  it('sign with the signing file and verify with all, each once', () => {
    const files = [file('a.pem', publicPem(otherRsa)), file('b.pem', publicPem(rsa))];
    const keys = loadServiceAccountKeys(files, file('sign.pem', privatePem(rsa)));
    expect(keys.signing.id).toBe(rsa.id);
    expect(ids(keys.verifying)).toEqual([otherRsa.id, rsa.id]);
  });

  it('sign with the first private key file when there is no signing file', () => {
    const files = [file('a.pem', publicPem(otherRsa)), file('c.pem', privatePem(ec))];
    expect(loadServiceAccountKeys(files, undefined).signing.id).toBe(ec.id);
  });

  it('are fresh when none is given', () => {
    const one = loadServiceAccountKeys([], undefined);
    expect(one.signing.algorithm).toBe('ES256');
    expect(ids(one.verifying)).toEqual([one.signing.id]);
    expect(loadServiceAccountKeys([], undefined).signing.id).not.toBe(one.signing.id);
  });

  it('name the file that is wrong', () => {
    expect(() => loadServiceAccountKeys([file('bad.pem', 'x')], undefined)).toThrow(/bad\.pem: no key found/);
  });
});

describe('what the issuer publishes', () => {
  const issuer = serviceAccountIssuer('https://issuer', [verifies(rsa), verifies(ec)], undefined);

  it('says where the keys are', () => {
    expect(issuer.configuration('https://server:6443/')).toEqual({
      issuer: 'https://issuer',
      jwks_uri: 'https://server:6443/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    });
    const elsewhere = serviceAccountIssuer('https://issuer', [], 'https://keys').configuration('https://server');
    expect(elsewhere).toMatchObject({ jwks_uri: 'https://keys' });
  });

  it('holds public keys only', () => {
    const { keys } = issuer.keySet() as { keys: (JsonWebKey & { kid: string; alg: string; use: string })[] };
    expect(keys.map(({ kid, alg, use, kty }) => [kid, alg, use, kty])).toEqual([
      [rsa.id, 'RS256', 'sig', 'RSA'],
      [ec.id, 'ES256', 'sig', 'EC'],
    ]);
    for (const key of keys)
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(key).not.toHaveProperty(secret);
  });
});
