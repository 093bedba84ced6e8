import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { type Plugin, PluginCredentials, PluginError } from './credential-plugin.ts';

const api = 'client.authentication.k8s.io/v1';
let folder: string;

beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
});

/** A plugin that runs this shell text. */
const shell = (text: string, exec: object = {}): Plugin => ({
  exec: { apiVersion: api, command: '/bin/sh', args: ['-c', text], interactiveMode: 'Never', ...exec },
  cluster: { server: 'https://server.example' },
  folder,
});

const printing = (status: object, exec: object = {}): Plugin =>
  shell(`printf '%s' '${JSON.stringify({ apiVersion: api, kind: 'ExecCredential', status })}'`, exec);

const given = (plugin: Plugin, somebody = false) => new PluginCredentials(plugin, somebody).current();

test('a token, or a certificate with its key', async () => {
  expect(await given(printing({ token: 'abc' }))).toEqual({ token: 'abc' });
  const pair = { clientCertificateData: 'CERT', clientKeyData: 'KEY' };
  expect(await given(printing({ ...pair, expirationTimestamp: '2030-01-02T03:04:05Z' }))).toEqual({
    clientCertificate: 'CERT',
    clientKey: 'KEY',
    expires: Date.UTC(2030, 0, 2, 3, 4, 5),
  });
});

test('a command that there is not keeps nobody from ending', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  const before = timers();
  await expect(given(shell('', { command: '/no/such' }))).rejects.toThrow('could not be started');
  expect(timers()).toBe(before);
});

test.each<[string, () => Plugin, RegExp]>([
  ['no command', () => printing({}, { command: undefined }), /command must be given/],
  ['no version', () => printing({}, { apiVersion: undefined }), /apiVersion is one of/],
  ['an unknown version', () => printing({}, { apiVersion: 'client.authentication.k8s.io/v9' }), /apiVersion is one of/],
  ['no mode', () => printing({}, { interactiveMode: undefined }), /interactiveMode must be given/],
  ['an unknown mode', () => printing({}, { interactiveMode: 'Often' }), /interactiveMode is one of/],
  ['nobody to ask', () => printing({}, { interactiveMode: 'Always' }), /needs a terminal/],
  ['a failure', () => shell('exit 3'), /ended with code 3/],
  ['no such file', () => shell('', { command: '/no/such', installHint: 'get it' }), /could not be started.*\nget it/],
  ['text', () => shell('echo hello'), /printed no JSON/],
  ['another kind', () => shell('echo "{}"'), /printed no ExecCredential/],
  ['an empty status', () => printing({}), /neither token nor certificate/],
  ['a certificate alone', () => printing({ clientCertificateData: 'CERT' }), /certificate or a key alone/],
  ['a wrong time', () => printing({ token: 'a', expirationTimestamp: 'soon' }), /no time/],
  ['too much', () => shell('yes | head -c 3000000'), /ended with code null/],
])('%s is an error', async (_, plugin, message) => {
  const failed = given(plugin());
  await expect(failed).rejects.toThrow(PluginError);
  await expect(failed).rejects.toThrow(message);
});

test('a relative command starts in the folder of the file', async () => {
  const script = `#!/bin/sh\necho '{"apiVersion":"${api}","kind":"ExecCredential","status":{"token":"near"}}'\n`;
  writeFileSync(join(folder, 'near.sh'), script, { mode: 0o700 });
  expect(await given(shell('', { command: './near.sh', args: [] }))).toEqual({ token: 'near' });
});

test('the plugin is told whether it may ask, and of the cluster when that is wanted', async () => {
  const out = join(folder, 'told');
  const told = async (exec: object, somebody: boolean) => {
    const { args } = printing({ token: 'a' }).exec;
    await given(shell(`printf '%s' "$CLUSTER_EXEC_INFO" >'${out}'; ${args[1]}`, exec), somebody);
    return JSON.parse(readFileSync(out, 'utf8')).spec;
  };
  expect(await told({}, true)).toEqual({ interactive: false });
  expect(await told({ interactiveMode: 'IfAvailable' }, true)).toEqual({ interactive: true });
  expect(await told({ provideClusterInfo: true }, false)).toEqual({
    interactive: false,
    cluster: { server: 'https://server.example' },
  });
});

test('what was given serves until it expires or is refused', async () => {
  const runs = join(folder, 'runs');
  const { args } = printing({ token: 'a' }).exec;
  const credentials = new PluginCredentials(shell(`echo run >>'${runs}'; ${args[1]}`), false);
  const count = (): number => readFileSync(runs, 'utf8').split('\n').length - 1;
  const [one, other] = await Promise.all([credentials.current(), credentials.current()]);
  expect(await credentials.current()).toBe(one);
  expect(count(), 'runs for three calls').toBe(1);
  await Promise.all([credentials.refuse(one), credentials.refuse(other)]);
  const next = await credentials.current();
  await credentials.refuse(one);
  expect(await credentials.current(), 'refusing what is not held any more').toBe(next);
  expect(count()).toBe(2);
});

test('what is held from before is taken first', async () => {
  const held = { token: 'held' };
  expect(await given({ ...shell('exit 1'), held })).toEqual(held);
  await expect(given({ ...shell('exit 1'), held: { ...held, expires: 1 } })).rejects.toThrow(PluginError);
});
