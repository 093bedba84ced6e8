import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { makeSelfSigned } from '../x509/self-signed.ts';
import { publishAuthentication } from './published-authentication.ts';

const key = '/configmaps/kube-system/extension-apiserver-authentication';
const lists = {
  requestheaderAllowedNames: ['proxy'],
  requestheaderUsernameHeaders: ['X-Remote-User'],
  requestheaderGroupHeaders: ['X-Remote-Group'],
  requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
};

const clock = { now: () => 0 };

let folder: string;
let store: MemoryStore;
beforeEach(async () => {
  folder = temporaryFolder(onTestFinished);
  store = new MemoryStore();
  await store.create(key, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' }, data: { own: 'kept' } });
});
afterEach(() => store.close());

const file = (name: string) => {
  const path = join(folder, name);
  writeFileSync(path, `PEM of ${name}`);
  return path;
};

it('tells the authorities of clients and of proxies, and whom those name', async () => {
  const options = { clientCaFile: file('clients'), requestheaderClientCaFile: file('proxies'), ...lists };
  await publishAuthentication({ store, clock }, options);
  expect((await store.get(key))?.value['data']).toEqual({
    own: 'kept',
    'client-ca-file': 'PEM of clients',
    'requestheader-client-ca-file': 'PEM of proxies',
    'requestheader-allowed-names': '["proxy"]',
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  });
  const { revision } = (await store.get(key)) ?? {};
  await publishAuthentication({ store, clock }, options);
  expect((await store.get(key))?.revision).toBe(revision);
});

it('says nothing of what is not set', async () => {
  await publishAuthentication({ store, clock }, lists);
  expect((await store.get(key))?.value['data']).toEqual({ own: 'kept' });
});

it('books what it tells as its own, beside the entries of others', async () => {
  const theirs = { manager: 'kubectl', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} };
  await store.update(key, ({ value }) => ({
    write: { ...value, metadata: { ...value.metadata, managedFields: [theirs as never] } },
  }));
  await publishAuthentication({ store, clock }, { clientCaFile: file('clients'), ...lists });
  const { managedFields } = (await store.get(key))?.value.metadata ?? {};
  expect(managedFields).toEqual([
    theirs,
    expect.objectContaining({
      manager: 'kube-apiserver',
      time: '1970-01-01T00:00:00Z',
      fieldsV1: { 'f:data': { '.': {}, 'f:client-ca-file': {} } },
    }),
  ]);
});

it('tells the authority of its own proxy beside those of other servers, and each once', async () => {
  const pem = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`;
  const told = async () =>
    ((await store.get(key))?.value['data'] as Record<string, string> | undefined)?.['requestheader-client-ca-file'];
  const tell = (name: string) =>
    publishAuthentication({ store, clock }, lists, {
      authority: pem(name),
      allowedNames: ['own'],
      usernameHeaders: [],
      groupHeaders: [],
      extraHeadersPrefix: [],
    });
  for (const name of ['a', 'b', 'a', 'a']) await tell(name);
  expect(await told()).toBe(pem('b') + pem('a'));
  for (const name of 'cdefghijk') await tell(name);
  expect(
    (await told())
      ?.match(/\n\w\n/g)
      ?.join('')
      .replaceAll('\n', ''),
  ).toBe('defghijk');
});

it('tells authorities and names beside those of servers with others, each once, and none that has run out', async () => {
  const told = async () => (await store.get(key))?.value['data'] as Record<string, string>;
  const at = (time: number) => ({ store, clock: { now: () => time } });
  const day = 86_400_000;
  const server = (name: string, end: number) => {
    const { certificate } = makeSelfSigned([name], new Date(0), new Date(end));
    const path = join(folder, name);
    writeFileSync(path, certificate);
    return {
      certificate,
      options: { ...lists, requestheaderAllowedNames: [name], clientCaFile: path, requestheaderClientCaFile: path },
    };
  };
  const [one, other] = [server('one', day), server('other', 9 * day)];
  for (const { options } of [one, other, one]) await publishAuthentication(at(0), options);
  const data = await told();
  const counted = (name: string) => (data[name] ?? '').match(/BEGIN/g)?.length;
  for (const name of ['client-ca-file', 'requestheader-client-ca-file']) {
    expect(data[name]).toContain(one.certificate.trim());
    expect(data[name]).toContain(other.certificate.trim());
    expect(counted(name)).toBe(2);
  }
  expect(data['requestheader-allowed-names']).toBe('["one","other"]');
  await publishAuthentication(at(2 * day), other.options);
  expect((await told())['client-ca-file']).toBe(other.certificate);
});
