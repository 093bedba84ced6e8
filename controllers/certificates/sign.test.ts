import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { base64, signingRequestPem } from '../../fixtures/certificates.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import type { CertificateSigningRequest } from '../runtime/resources.ts';
import { readRequest } from './request.ts';
import { sign } from './sign.ts';

const folder = temporaryFolder();
const csr: CertificateSigningRequest = {
  metadata: { name: 'x' },
  spec: { request: base64(signingRequestPem), signerName: 'example.com/x', usages: [] },
};
const terms = {
  usages: ['digital signature', 'client auth'],
  notBefore: Date.now() - 60_000,
  notAfter: Date.now() + 3_600_000,
  withAlternativeNames: false,
};

test.each([
  ['RSA', ['rsa:2048']],
  ['P-256', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
  ['P-384', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384']],
  ['Ed25519', ['ed25519']],
])('the key of an authority may be %s', async (name, key) => {
  const [certificate, file] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const options = ['-nodes', '-subj', '/CN=authority', '-keyout', file, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', ...key, ...options], { stdio: 'ignore' });
  const authority = { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(file, 'utf8') };
  const signed = new X509Certificate(await sign(authority, await readRequest(csr), terms));
  expect(signed.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
});
