import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { base64 } from '../../fixtures/certificates.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { TargetError, targetFromKubeconfig } from './kubeconfig.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
});

function write(user: object, cluster: object = {}): string {
  const file = join(folder, 'config');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    contexts: [{ name: 'one', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://server.example/', ...cluster } }],
    users: [{ name: 'u', user }],
  };
  writeFileSync(file, stringify(config));
  return file;
}

const url = 'https://server.example';
const at = (server: string) => [{ name: 'c', cluster: { server } }];
const userWith = (user: object) => [{ name: 'u', user }];

test('tokens, passwords and certificates', () => {
  expect(targetFromKubeconfig(write({ token: 'abc' }))).toEqual({ url, token: 'abc' });
  expect(targetFromKubeconfig(write({ username: 'me', password: 'pw' }))).toEqual({
    url,
    username: 'me',
    password: 'pw',
  });
  const user = { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') };
  expect(targetFromKubeconfig(write(user, { 'certificate-authority-data': base64('CA') }))).toEqual({
    url,
    certificateAuthority: 'CA',
    clientCertificate: 'CERT',
    clientKey: 'KEY',
  });
});

test('a file with the token stands beside the configuration, and wins', () => {
  writeFileSync(join(folder, 'token'), 'from-file\n');
  expect(targetFromKubeconfig(write({ token: 'abc', tokenFile: 'token' }))).toEqual({ url, token: 'from-file' });
});

test('a credential plugin comes with what it is to be told of the cluster', () => {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './login', interactiveMode: 'Never' };
  const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { realm: 'r' } }];
  const { plugin } = targetFromKubeconfig(write({ exec }, { 'certificate-authority-data': base64('CA'), extensions }));
  expect(plugin).toEqual({
    exec,
    folder,
    cluster: { server: url, 'certificate-authority-data': base64('CA'), config: { realm: 'r' } },
  });
});

test('a user who acts as another, or a proxy on the way, is refused rather than passed over', () => {
  expect(() => targetFromKubeconfig(write({ token: 'abc', as: 'jane' }))).toThrow('acts as jane');
  const proxied = { 'proxy-url': 'http://proxy.example' };
  expect(() => targetFromKubeconfig(write({ token: 'abc' }, proxied))).toThrow('through a proxy');
});

test.each([
  ['a context that says nothing', { contexts: [{ name: 'one' }] }, 'has no current cluster'],
  ['contexts that are no list', { contexts: { one: {} } }, 'has no context one; it has none'],
  ['a user whom it does not know', { users: [{ name: 'v', user: {} }] }, 'has no user u'],
  ['a server without a protocol', { clusters: at('server.example') }, 'is no http or https address: server.example'],
  ['a server of another protocol', { clusters: at('ftp://a') }, 'is no http or https address: ftp://a'],
  ['a certificate without its key', { users: userWith({ 'client-certificate-data': 'QQ==' }) }, 'without its key'],
  ['a key alone', { users: userWith({ 'client-key-data': 'QQ==' }) }, 'or a key alone'],
  ['a key that is no text', { users: userWith({ 'client-key-data': 7 }) }, 'has a client-key that is no text'],
  ['a path that is no text', { users: userWith({ 'client-certificate': [1] }) }, 'client-certificate that is no text'],
])('%s is told of', (_, parts, message) => {
  const file = write({ token: 'abc' });
  writeFileSync(file, stringify({ ...parse(readFileSync(file, 'utf8')), ...parts }));
  expect(() => targetFromKubeconfig(file)).toThrow(message);
});

test('whose context names no user comes as nobody', () => {
  const file = write({});
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^ *user: u\n/m, ''));
  expect(targetFromKubeconfig(file)).toEqual({ url });
});

test('what names no target is an error', () => {
  expect(() => targetFromKubeconfig(join(folder, 'none'))).toThrow(TargetError);
  expect(() => targetFromKubeconfig(write({}), 'other')).toThrow('no context other');
});
