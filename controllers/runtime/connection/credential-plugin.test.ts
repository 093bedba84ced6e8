import { expect, test } from 'vitest';
import { FakeClock } from '../fake-clock.fixture.ts';
import { CredentialPlugin, credentialOf, type PluginConfig } from './credential-plugin.ts';

const api = 'client.authentication.k8s.io/v1';
const cluster = { server: 'https://h' };
const print = (status: object): string => JSON.stringify({ apiVersion: api, kind: 'ExecCredential', status });

/** A plugin that prints what this expression of JavaScript gives. */
const plugin = (expression: string, more: PluginConfig = {}, clock = new FakeClock()): CredentialPlugin => {
  const args = ['-e', `console.log(${expression})`];
  const exec = { apiVersion: api, command: process.execPath, args, interactiveMode: 'Never', ...more };
  return new CredentialPlugin({ exec, cluster, clock });
};

test.each([
  ['no command', { command: '' }],
  ['an unknown version', { apiVersion: 'client.authentication.k8s.io/v7' }],
  ['somebody at a keyboard', { interactiveMode: 'Always' }],
  ['an unknown mode', { interactiveMode: 'Often' }],
])('a configuration with %s is refused', (_, more) => {
  expect(() => plugin('""', more)).toThrow(Error);
});

test('the plugin is told what it is for', async () => {
  const status = '{ token: JSON.stringify(JSON.parse(process.env.KUBERNETES_EXEC_INFO).spec) }';
  const expression = `JSON.stringify({ apiVersion: '${api}', kind: 'ExecCredential', status: ${status} })`;
  const plain = await plugin(expression).credential();
  expect(JSON.parse(plain.token ?? '')).toEqual({ interactive: false });
  const told = await plugin(expression, { provideClusterInfo: true }).credential();
  expect(JSON.parse(told.token ?? '')).toEqual({ interactive: false, cluster });
});

test('a credential is kept until it expires or is refused', async () => {
  const clock = new FakeClock();
  const expirationTimestamp = new Date(clock.now() + 1_000).toISOString();
  const status = `{ token: String(process.pid), expirationTimestamp: '${expirationTimestamp}' }`;
  const one = plugin(`JSON.stringify({ apiVersion: '${api}', kind: 'ExecCredential', status: ${status} })`, {}, clock);
  const first = await one.credential();
  expect(await one.credential()).toEqual(first);
  one.refused();
  const second = await one.credential();
  expect(second.token).not.toBe(first.token);
  clock.advance(2_000);
  expect((await one.credential()).token).not.toBe(second.token);
});

test('a plugin that is not there says so with its hint', async () => {
  const absent = plugin('""', { command: '/nowhere/plugin', installHint: 'ask the plumber' });
  await expect(absent.credential()).rejects.toThrow('ENOENT ask the plumber');
});

test.each([
  ['no JSON', 'token'],
  ['null', 'null'],
  ['another version', print({ token: 't' }).replace('/v1', '/v1beta1')],
  ['nothing', print({})],
  ['a certificate alone', print({ clientCertificateData: 'c' })],
])('%s is no credential, and is not told', (_, text) => {
  expect(() => credentialOf(text, api)).toThrow(/^the credential plugin/);
});
