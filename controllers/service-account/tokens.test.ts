import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { Client } from '../runtime/client.ts';
import { systemClock } from '../runtime/clock.ts';
import { connect } from '../runtime/connection/connection.ts';
import { pods, secrets, serviceAccounts } from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';

let cluster: Cluster;
const file = join(temporaryFolder(), 'sa.key');
beforeAll(async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const options = { controllers: ['serviceaccount', 'serviceaccount-token'], serviceAccountPrivateKeyFile: file };
  const issuer = 'https://kubernetes.default.svc';
  const keys = { serviceAccountIssuer: [issuer], serviceAccountKeyFile: [file], serviceAccountSigningKeyFile: file };
  cluster = await startCluster(options, keys);
});
afterAll(() => cluster.stop());

const secretFor = (account: string) => ({
  metadata: { name: `${account}-token`, annotations: { 'kubernetes.io/service-account.name': account } },
  type: 'kubernetes.io/service-account-token',
});

test('a token Secret is filled with a token that logs in, and goes with its account', async () => {
  await cluster.client.create(serviceAccounts, { metadata: { name: 'robot' } }, { namespace });
  await cluster.client.create(secrets, secretFor('robot'), { namespace });
  const { data } = await eventually(async () => {
    const secret = await cluster.client.get(secrets, { namespace, name: 'robot-token' });
    return secret.data?.['token'] ? secret : undefined;
  });
  const decode = (key: string) => Buffer.from(data?.[key] ?? '', 'base64').toString();
  expect([decode('namespace'), decode('ca.crt')]).toEqual(['default', cluster.server.certificateAuthority]);
  const access = JSON.parse(cluster.kubeconfig);
  const text = JSON.stringify({ ...access, users: [{ name: access.users[0].name, user: { token: decode('token') } }] });
  const connection = await connect({ text });
  const robot = new Client({
    connection,
    clock: systemClock,
    signal: new AbortController().signal,
    userAgent: 'robot',
  });
  await expect(robot.list(pods, { namespace })).rejects.toThrow('system:serviceaccount:default:robot');
  connection.close();
  await cluster.client.delete(serviceAccounts, { namespace, name: 'robot' });
  await cluster.gone(secrets, 'robot-token');
});

test('a token Secret that vouches for another server gets the certificate of this one, and keeps its token', async () => {
  await cluster.client.create(serviceAccounts, { metadata: { name: 'mover' } }, { namespace });
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const data = { token: encode('mine'), namespace: encode(namespace), 'ca.crt': encode('of before') };
  await cluster.client.create(secrets, { ...secretFor('mover'), data }, { namespace });
  await eventually(async () => {
    const secret = await cluster.client.get(secrets, { namespace, name: 'mover-token' });
    return secret.data?.['ca.crt'] === encode(cluster.server.certificateAuthority) ? true : undefined;
  });
  const { data: kept } = await cluster.client.get(secrets, { namespace, name: 'mover-token' });
  expect(kept?.['token']).toBe(data.token);
});

test('a token Secret of an account that is not there goes', async () => {
  await cluster.client.create(secrets, secretFor('nobody'), { namespace }).catch(() => {});
  await cluster.gone(secrets, 'nobody-token');
});

test('a token Secret of an earlier account of its name goes', async () => {
  await cluster.client.create(serviceAccounts, { metadata: { name: 'heir' } }, { namespace });
  const { metadata, type } = secretFor('heir');
  const annotations = { ...metadata.annotations, 'kubernetes.io/service-account.uid': 'of-before' };
  await cluster.client.create(secrets, { metadata: { ...metadata, annotations }, type }, { namespace });
  await cluster.gone(secrets, 'heir-token');
});

test('the default account comes back when it is deleted', async () => {
  const before = await cluster.there(serviceAccounts, 'default');
  await cluster.client.delete(serviceAccounts, { namespace, name: 'default' });
  await eventually(async () => {
    const account = await cluster.there(serviceAccounts, 'default');
    return account.metadata?.uid !== before.metadata?.uid ? true : undefined;
  });
});
