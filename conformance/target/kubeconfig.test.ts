import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
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

test('what names no target is an error', () => {
  expect(() => targetFromKubeconfig(join(folder, 'none'))).toThrow(TargetError);
  expect(() => targetFromKubeconfig(write({}), 'other')).toThrow('no context other');
});
