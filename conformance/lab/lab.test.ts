import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get, request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { auditFiles, auditPolicy } from './audit.ts';
import type { Service } from './https-service.ts';
import { confusedToken, keyId, unsignedToken } from './jwt.ts';
import { type Lab, makeLab, openLab } from './lab.ts';
import { main } from './main.ts';
import { type CertificateName, certificates } from './materials.ts';
import { startLabServices } from './services.ts';

const folder = temporaryFolder();
let lab: Lab;
let services: Service;
beforeAll(async () => {
  lab = await makeLab(join(folder, 'lab'));
  services = await startLabServices(lab);
});
afterAll(() => services.stop());

const filesOf = (flags: readonly string[]) => flags.flatMap((flag) => /=(\/.+)$/.exec(flag)?.[1] ?? []);
const x509 = (name: CertificateName | 'ca') =>
  new X509Certificate(lab.certificate(name as CertificateName).certificate);
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const ca = () => lab.certificate('ca' as CertificateName).certificate;

const getJson = (url: string): Promise<Record<string, string> & { keys?: { kty: string; crv?: string }[] }> =>
  new Promise((resolve, reject) => {
    get(url, { ca: ca() }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(JSON.parse(String(Buffer.concat(chunks)))));
    }).on('error', reject);
  });

describe('a lab', () => {
  it('names only files that it has made, for their owner alone', () => {
    const files = filesOf(lab.flags);
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) {
      expect(existsSync(file), file).toBe(true);
      expect(statSync(file).mode & 0o777, file).toBe(0o600);
    }
  });

  it('is made once: the same folder gives the same lab', async () => {
    expect((await makeLab(lab.folder)).token('bob')).toBe(lab.token('bob'));
    expect(openLab(lab.folder).flags).toEqual(lab.flags);
    expect(() => openLab(folder)).toThrow('holds no lab');
  });

  it('has what is to be written down of its requests anew: for an older release that may have been less', async () => {
    const policy = join(lab.folder, auditFiles.policy);
    writeFileSync(policy, '{}');
    await makeLab(lab.folder);
    expect(JSON.parse(readFileSync(policy, 'utf8'))).toEqual(auditPolicy);
  });

  it.each(Object.keys(certificates) as CertificateName[])('has the certificate %s with its key', (name) => {
    const certificate = x509(name);
    expect(certificate.checkPrivateKey(lab.key(name as never))).toBe(true);
    const signer = new X509Certificate(lab.certificate(certificates[name].authority as CertificateName).certificate);
    expect(certificate.verify(signer.publicKey)).toBe(true);
    expect(signer.ca).toBe(true);
  });

  it('makes certificates that run out in a moment', async () => {
    const made = new X509Certificate((await lab.briefCertificate('erin', 60)).certificate);
    expect(made.subject).toBe('CN=erin');
    expect(made.verify(new X509Certificate(ca()).publicKey)).toBe(true);
    const left = Date.parse(made.validTo) - Date.now();
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it('has certificates out of their time, without a name, and for servers', () => {
    expect(new Date(x509('expired').validTo).getTime()).toBeLessThan(Date.now());
    expect(new Date(x509('early').validFrom).getTime()).toBeGreaterThan(Date.now());
    expect(x509('nameless').subject).not.toContain('CN=');
    expect(x509('no-client').keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });
});

describe('tokens of a lab', () => {
  it('are id tokens whose claims a rule may change', () => {
    expect(claimsOf(lab.idToken())).toMatchObject({ iss: lab.issuerUrl, sub: 'dora', tier: 'gold' });
    expect(claimsOf(lab.idToken({ sub: undefined, tier: 'silver' }))).not.toHaveProperty('sub');
  });

  it('are tokens of service accounts signed with any of the keys', () => {
    const account = { namespace: 'ns', name: 'robot', uid: 'u' };
    for (const name of ['service-account', 'service-account-2', 'service-account-3'] as const) {
      const [head = '', body = '', signature = ''] = lab.serviceAccountToken(account, {}, name).split('.');
      const key = { key: createPublicKey(lab.key(name)), dsaEncoding: 'ieee-p1363' as const };
      expect(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    }
    expect(claimsOf(lab.serviceAccountToken(account))['kubernetes.io']).toEqual({
      namespace: 'ns',
      serviceaccount: { name: 'robot', uid: 'u' },
    });
  });

  it('may be bad ones', () => {
    expect(unsignedToken('e30')).toMatch(/\.$/);
    expect(confusedToken('e30', lab.key('issuer')).split('.')).toHaveLength(3);
  });
});

describe('the services of a lab', () => {
  it('are an issuer with its keys', async () => {
    const document = await getJson(`${lab.issuerUrl}/.well-known/openid-configuration`);
    expect(document.issuer).toBe(lab.issuerUrl);
    const { keys } = await getJson(document.jwks_uri ?? '');
    expect(keys?.map(({ kty, crv }) => crv ?? kty)).toEqual(['RSA', 'P-256', 'P-384', 'P-521']);
    for (const one of keys ?? []) expect(one).not.toHaveProperty('d');
    expect(await getJson(`${lab.issuerUrl}/other`)).toEqual({ error: 'not found' });
  });

  it('are an issuer that may come to have another key, for a while', async () => {
    const has = async () => (await getJson(`${lab.issuerUrl}/keys`)).keys?.length;
    const { key, withdraw } = lab.addIssuerKey();
    expect(await has()).toBe(5);
    const [header] = lab.idToken({}, {}, key).split('.');
    expect(JSON.parse(String(Buffer.from(header ?? '', 'base64url'))).kid).toBe(keyId(key));
    withdraw();
    expect(await has()).toBe(4);
  });

  it('are a token webhook that answers as the token says, and tells what it was asked', async () => {
    const token = lab.hookToken({ status: { authenticated: true, user: { username: 'erin' } } });
    const answerTo = (review: unknown) =>
      new Promise<{ readonly code: number | undefined; readonly body: unknown }>((resolve, reject) => {
        const { server } = webhookOf(lab);
        const call = request(server, { method: 'POST', ca: ca() }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ code: response.statusCode, body: JSON.parse(String(Buffer.concat(chunks))) }),
          );
        });
        call.on('error', reject).end(typeof review === 'string' ? review : JSON.stringify(review));
      });
    const ask = async (review: unknown) => (await answerTo(review)).body;
    const codeOf = async (review: unknown) => (await answerTo(review)).code;
    const apiVersion = 'authentication.k8s.io/v1';
    expect(await ask({ apiVersion, kind: 'TokenReview', spec: { token } })).toEqual({
      apiVersion,
      kind: 'TokenReview',
      spec: { token },
      status: { authenticated: true, user: { username: 'erin' } },
    });
    expect(await lab.reviewsOf(token)).toMatchObject([{ method: 'POST', review: { apiVersion, spec: { token } } }]);
    const late = { apiVersion, spec: { token: lab.hookToken({ status: { authenticated: true }, failures: 1 }) } };
    expect([await codeOf(late), await codeOf(late)], 'of one that fails at first').toEqual([403, 200]);
    const other = lab.hookToken({ status: {}, apiVersion: 'v2', spec: {} });
    expect(await ask({ apiVersion, spec: { token: other } })).toMatchObject({ apiVersion: 'v2', spec: {} });
    for (const bad of ['{', 'null', { spec: { token: 'lab-hook-%' } }, { spec: { token: 7 } }]) {
      expect(await ask(bad)).toMatchObject({ status: { authenticated: false } });
    }
  });

  it('cannot run twice at the same time', async () => {
    await expect(startLabServices(lab)).rejects.toThrow(/port \d+ of the lab is taken/);
  });
});

function webhookOf(of: Lab): { server: string } {
  const flag = of.flags.find((each) => each.includes('token-webhook-config-file')) ?? '';
  const config = JSON.parse(readFileSync(flag.slice(flag.indexOf('=') + 1), 'utf8'));
  return config.clusters[0].cluster;
}

describe('touchstone lab', () => {
  const run = async (...argv: string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const code = await main(argv, { out: (text) => out.push(text), err: (text) => err.push(text) });
    return { code, out: out.join(''), err: err.join('') };
  };

  it('prints the flags of the lab, one a line', async () => {
    expect(await run('--dir', lab.folder)).toEqual({ code: 0, out: `${lab.flags.join('\n')}\n`, err: '' });
  });

  it('explains itself and refuses what it does not know', async () => {
    expect((await run('--help')).out).toContain('Usage');
    expect((await run()).code).toBe(2);
    expect((await run('--nothing')).code).toBe(2);
    expect((await run('--dir', '/dev/null/lab')).code).toBe(1);
  });
});
