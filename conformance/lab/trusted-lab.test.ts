import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import type { Target } from '../target/target.ts';
import { byCommand } from './command.ts';
import type { Service } from './https-service.ts';
import { type Lab, labNames, makeLab } from './lab.ts';
import { makeLauncher } from './launcher.ts';
import type { CertificateName } from './materials.ts';
import { startLabServices } from './services.ts';

/** A server that was started with the flags of a lab trusts what the lab makes. */

const folder = temporaryFolder();
const command = join(import.meta.dirname, '..', '..', 'touchstone.ts');
const launcher = makeLauncher(
  byCommand([process.execPath, command, 'serve', '--secure-port=0', `--cert-dir=${folder}`]),
);
let lab: Lab;
let services: Service;
let target: Target;
beforeAll(async () => {
  lab = await makeLab(join(folder, 'lab'));
  services = await startLabServices(lab);
  target = await launcher.take(lab.flags);
});
afterAll(async () => {
  await launcher.stopAll();
  await services.stop();
});

interface Showing {
  readonly token?: string;
  readonly certificate?: CertificateName;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whom the server takes a caller for, as its refusal tells. */
async function whoIs({ token, certificate, headers = {} }: Showing): Promise<string> {
  const pair = certificate && lab.certificate(certificate);
  const ca = target.certificateAuthority ?? '';
  const dispatcher = new Agent({ connect: { ca, ...(pair && { cert: pair.certificate, key: pair.key }) } });
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await request(`${target.url}/api/v1/nodes`, { dispatcher, headers: { ...authorization, ...headers } });
  const body = (await answer.body.json()) as { kind: string; message?: string };
  await dispatcher.close();
  return answer.statusCode === 403 ? (/User "([^"]*)"/.exec(body.message ?? '')?.[1] ?? '') : String(answer.statusCode);
}

const proxyUser = { [labNames.proxyUserHeader]: 'fay' };

it.each([
  ['nobody', {}, 'system:anonymous'],
  ['a certificate', { certificate: 'alice' }, 'alice'],
  ['a certificate of the second authority', { certificate: 'dave' }, 'dave'],
  ['a certificate of a stranger', { certificate: 'stranger' }, '401'],
  ['an expired certificate', { certificate: 'expired' }, '401'],
  ['a certificate of tomorrow', { certificate: 'early' }, '401'],
  ['a certificate without a name', { certificate: 'nameless' }, '401'],
  ['a certificate for servers', { certificate: 'no-client' }, '401'],
  ['the proxy', { certificate: 'proxy', headers: proxyUser }, 'fay'],
  ['another proxy', { certificate: 'other-proxy', headers: proxyUser }, '401'],
] as [string, Showing, string][])('%s', async (_, showing, expected) => {
  expect(await whoIs(showing)).toBe(expected);
});

it('knows the tokens of the file', async () => {
  expect(await whoIs({ token: lab.token('lab-admin') })).toBe('200');
  expect(await whoIs({ token: lab.token('bob') })).toBe('bob');
});

it('knows id tokens of the issuer', async () => {
  expect(await whoIs({ token: lab.idToken() })).toBe(`${lab.issuerUrl}#dora`);
  expect(await whoIs({ token: lab.idToken({ [labNames.requiredClaim.name]: 'silver' }) })).toBe('401');
});

it('asks the token webhook', async () => {
  const token = lab.hookToken({ status: { authenticated: true, user: { username: 'erin' } } });
  expect(await whoIs({ token })).toBe('erin');
  expect(await lab.reviewsOf(token)).toMatchObject([
    { method: 'POST', authorization: 'Bearer of-the-server', review: { kind: 'TokenReview', spec: { token } } },
  ]);
});

it('knows tokens of service accounts by each of the keys', async () => {
  const headers = { authorization: `Bearer ${lab.token('lab-admin')}`, 'content-type': 'application/json' };
  const dispatcher = new Agent({ connect: { ca: target.certificateAuthority ?? '' } });
  const url = `${target.url}/api/v1/namespaces/default/serviceaccounts`;
  const body = JSON.stringify({ metadata: { name: 'robot' } });
  const made = await request(url, { method: 'POST', headers, body, dispatcher });
  const { metadata } = (await made.body.json()) as { metadata: { uid: string } };
  await dispatcher.close();
  const account = { namespace: 'default', name: 'robot', uid: metadata.uid };
  for (const key of ['service-account', 'service-account-2', 'service-account-3'] as const) {
    const token = lab.serviceAccountToken(account, {}, key);
    expect(await whoIs({ token })).toBe('system:serviceaccount:default:robot');
  }
  expect(await whoIs({ token: lab.serviceAccountToken(account, {}, 'issuer') })).toBe('401');
});
