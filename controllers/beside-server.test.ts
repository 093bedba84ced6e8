import pem from 'pem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCondition } from './certificates/conditions.ts';
import { Client } from './runtime/client.ts';
import { systemClock } from './runtime/clock.ts';
import { connect } from './runtime/connection/connection.ts';
import { nameOf } from './runtime/kube-object.ts';
import { certificateSigningRequests, nodes, pods, secrets, serviceAccounts } from './runtime/resources.ts';
import { eventually, type Lab, startLab } from './testing/lab.fixture.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab({ controllers: ['*'], authorizationMode: ['RBAC'], nodeNames: ['one', 'two'] });
});
afterAll(() => lab.stop());

/** What the server says to a user with these credentials, who may do nothing. */
async function refusalOf(user: object): Promise<string> {
  const access = JSON.parse(lab.kubeconfig);
  const connection = await connect({
    text: JSON.stringify({ ...access, users: [{ name: access.users[0].name, user }] }),
  });
  const client = new Client({
    connection,
    clock: systemClock,
    signal: new AbortController().signal,
    userAgent: 'test',
  });
  const refusal = await client.list(pods, { namespace: 'default' }).then(
    () => 'nothing refused',
    (error: Error) => error.message,
  );
  connection.close();
  return refusal;
}

test('there are the nodes that were asked for', async () => {
  const found = await eventually(async () => {
    const { items } = await lab.client.list(nodes, {});
    return items.length > 1 ? items.map(nameOf) : undefined;
  });
  expect(found).toEqual(['one', 'two']);
});

test('a certificate signed without any flag logs in', async () => {
  const made = await pem.promisified.createCSR({ commonName: 'jane' });
  const request = Buffer.from(made.csr).toString('base64');
  const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
  const csr = await lab.client.create(certificateSigningRequests, { metadata: { name: 'jane' }, spec }, {});
  const approved = addCondition(csr, { type: 'Approved', reason: 'Test', message: 'by the test' }, Date.now());
  await lab.client.replace(certificateSigningRequests, { ...csr, status: { conditions: approved } }, 'approval');
  const { status } = await eventually(async () => {
    const found = await lab.client.get(certificateSigningRequests, { name: 'jane' });
    return found.status?.certificate ? found : undefined;
  });
  const key = Buffer.from(made.clientKey).toString('base64');
  const user = { 'client-certificate-data': status?.certificate, 'client-key-data': key };
  expect(await refusalOf(user)).toContain('User "jane" cannot list');
});

test('a token Secret is filled without any flag, and its token logs in', async () => {
  const place = { namespace: 'default' };
  await lab.client.create(serviceAccounts, { metadata: { name: 'robot' } }, place);
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  const type = 'kubernetes.io/service-account-token';
  await lab.client.create(secrets, { metadata: { name: 'token', annotations }, type }, place);
  const { data } = await eventually(async () => {
    const secret = await lab.client.get(secrets, { ...place, name: 'token' });
    return secret.data?.['token'] ? secret : undefined;
  });
  const token = Buffer.from(data?.['token'] ?? '', 'base64').toString();
  expect(await refusalOf({ token })).toContain('system:serviceaccount:default:robot');
});
