import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { filesIn, temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { connect } from './connection.ts';
import { readAccess } from './kubeconfig.ts';

const folder = temporaryFolder();
const file = filesIn(folder);

const config = (user: object, cluster: object = {}) =>
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://api.example:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });

async function authorization(user: object, cluster: object = {}) {
  const connection = await connect({ text: config(user, cluster) });
  const { headers } = await connection.options(false);
  connection.close();
  return (headers as Record<string, string> | undefined)?.['Authorization'];
}

describe('credentials', () => {
  test('a token', async () => expect(await authorization({ token: 't' })).toBe('Bearer t'));

  test('a token file, read relative to the kubeconfig', async () => {
    file('token', 'from-file');
    const path = file('config', config({ tokenFile: 'token' }));
    const connection = await connect({ file: path });
    expect((await connection.options(false)).headers).toMatchObject({ Authorization: 'Bearer from-file' });
    connection.close();
  });

  test('a name and a password', async () =>
    expect(await authorization({ username: 'a', password: 'b' })).toBe(
      `Basic ${Buffer.from('a:b').toString('base64')}`,
    ));

  test('a command that prints a credential', async () => {
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'printed' },
    };
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', `console.log(${JSON.stringify(JSON.stringify(credential))})`],
      interactiveMode: 'Never',
    };
    expect(await authorization({ exec })).toBe('Bearer printed');
  });

  test('what only the whole library knows is left to it', async () => {
    const user = { 'auth-provider': { name: 'gcp', config: { 'access-token': 'g', expiry: '2999-01-01T00:00:00Z' } } };
    expect(await authorization(user)).toBe('Bearer g');
  });

  test('a user to act for', async () => {
    const connection = await connect({ text: config({ token: 't', as: 'alice' }) });
    expect((await connection.options(false)).headers).toMatchObject({ 'Impersonate-User': 'alice' });
    connection.close();
  });
});

describe('choosing', () => {
  const yaml = `
clusters: [{name: one, cluster: {server: 'https://one'}}, {name: two, cluster: {server: 'https://two', certificate-authority: ca.pem}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: a, context: {cluster: one, user: u}}, {name: b, context: {cluster: two, user: u}}]
current-context: a
`;

  test('the current context, or the one that is asked for', async () => {
    const path = file('both.yaml', yaml);
    expect((await readAccess({ file: path })).cluster.server).toBe('https://one');
    const { cluster } = await readAccess({ file: path, context: 'b' });
    expect(cluster).toMatchObject({ server: 'https://two', caFile: join(folder, 'ca.pem') });
  });

  test('a file in the working folder: a command beside it is no command of the PATH', () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin.sh', interactiveMode: 'Never' };
    file('beside', config({ exec }));
    const source = pathToFileURL(join(import.meta.dirname, 'kubeconfig.ts'));
    const script = `import { readAccess } from '${source}'; console.log((await readAccess({ file: 'beside' })).user.exec.command);`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder });
    expect(String(printed).trim()).toBe(join(realpathSync(folder), 'plugin.sh'));
  });

  test('a context without a user is nobody’s', async () => {
    expect((await readAccess({ text: yaml.replaceAll(', user: u', '') })).user.token).toBeUndefined();
  });

  test.each([
    ['a context that is not there', { text: yaml, context: 'c' }, 'no context named "c"; there are: '],
    ['a user who is not there', { text: yaml.replace('name: u,', 'name: v,') }, 'has no user named "u"'],
    [
      'a server without a protocol',
      { text: yaml.replace('https://one', 'one:6443') },
      'no http or https address: one:6443',
    ],
    ['no context at all', { text: '{}' }, 'no current context; there are none'],
    ['no file', { file: '/does/not/exist' }, 'there is no kubeconfig /does/not/exist'],
    ['a file that is no mapping', { text: '[]' }, 'no current context'],
  ])('%s is an error', async (_, choice, message) => {
    await expect(readAccess(choice)).rejects.toThrow(message);
  });
});
