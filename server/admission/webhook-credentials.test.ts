import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { readAdmissionConfiguration } from './admission-configuration.ts';
import { credentialsByHost, noCredentials, webhookCredentials } from './webhook-credentials.ts';

const named = (...names: string[]) => new Map(names.map((name) => [name, { authorization: name }]));

describe('the user for a webhook', () => {
  const find = credentialsByHost({
    users: named(
      'hook.example.com',
      'hook.example.com:8443',
      '*.example.com',
      '*.b.example.com',
      '*.example.com:9443',
      'web.prod.svc',
      '[::1]:8443',
      '*',
    ),
    current: undefined,
  });

  it.each([
    ['by its host', 'hook.example.com', 443, 'hook.example.com'],
    ['by host and port', 'hook.example.com', 8443, 'hook.example.com:8443'],
    ['by a wildcard', 'other.example.com', 443, '*.example.com'],
    ['by the longest wildcard', 'a.b.example.com', 443, '*.b.example.com'],
    ['by a wildcard with a port', 'other.example.com', 9443, '*.example.com:9443'],
    ['as a service', 'web.prod.svc', 443, 'web.prod.svc'],
    ['by an address', '::1', 8443, '[::1]:8443'],
    ['by default', 'elsewhere.test', 443, '*'],
    ['by default on a port nobody named', 'hook.example.com', 1, '*'],
  ])('is found %s', (_, host, port, name) => expect(find(host, port).authorization).toBe(name));

  it('may be named with the standard port', () => {
    expect(credentialsByHost({ users: named('h.example:443'), current: undefined })('h.example', 443)).toEqual({
      authorization: 'h.example:443',
    });
  });

  it('is that of the current context when none is named, or nobody', () => {
    expect(credentialsByHost({ users: named('a'), current: { authorization: 'mine' } })('b', 443).authorization).toBe(
      'mine',
    );
    expect(credentialsByHost({ users: named('a'), current: undefined })('b', 443)).toEqual({});
  });

  it('is not found under names that every object has', () => {
    expect(credentialsByHost({ users: named('a'), current: undefined })('constructor', 443)).toEqual({});
  });
});

describe('an AdmissionConfiguration', () => {
  let now = 0;
  const clock = { now: () => now };
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder(onTestFinished);
  });
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const plugin = `kind: WebhookAdmissionConfiguration\napiVersion: apiserver.config.k8s.io/v1\nkubeConfigFile: users\n`;
  const indented = plugin.trimEnd().replaceAll('\n', '\n    ');
  const whole = (entry: string, apiVersion = 'apiserver.config.k8s.io/v1') =>
    `apiVersion: ${apiVersion}\nkind: AdmissionConfiguration\nplugins:\n- name: ValidatingAdmissionWebhook\n  ${entry}\n`;
  const users =
    'users:\n- name: "*"\n  user: {username: u, password: p}\n- name: hook.example.com\n  user: {token: t}\n';

  it('leads to the credentials, all of its three kinds', () => {
    const pem = Buffer.from('PEM').toString('base64');
    write(
      'users',
      `${users}- name: c.example.com\n  user: {client-certificate-data: ${pem}, client-key-data: ${pem}}\n`,
    );
    const file = write('config', whole(`configuration:\n    ${indented}`));
    const find = webhookCredentials(readAdmissionConfiguration(file).get('ValidatingAdmissionWebhook'), clock);
    expect(find('hook.example.com', 443)).toEqual({ authorization: 'Bearer t' });
    expect(find('x', 443)).toEqual({ authorization: `Basic ${Buffer.from('u:p').toString('base64')}` });
    expect(find('c.example.com', 443)).toEqual({ certificate: 'PEM', key: 'PEM' });
  });

  it('leads to credentials that are renewed in their files', () => {
    write('users', 'users:\n- name: "*"\n  user: {tokenFile: token}\n');
    write('token', 'old');
    const file = write('config', whole(`configuration:\n    ${indented}`));
    const find = webhookCredentials(readAdmissionConfiguration(file).get('ValidatingAdmissionWebhook'), clock);
    expect(find('x', 443)).toEqual({ authorization: 'Bearer old' });
    write('token', 'new');
    now += 10_000;
    expect(find('x', 443)).toEqual({ authorization: 'Bearer new' });
  });

  it('may keep the configuration of a plugin in another file, from where further names start', () => {
    mkdirSync(join(folder, 'deep'));
    write('deep/hooks', plugin);
    write('deep/users', users);
    const file = write('config', whole('path: deep/hooks', 'apiserver.k8s.io/v1alpha1'));
    const find = webhookCredentials(readAdmissionConfiguration(file).get('ValidatingAdmissionWebhook'), clock);
    expect(find('hook.example.com', 443)).toEqual({ authorization: 'Bearer t' });
  });

  it('that says nothing of a plugin gives no credentials', () => {
    const plugins = readAdmissionConfiguration(write('config', whole('configuration: {}')));
    expect(webhookCredentials(plugins.get('MutatingAdmissionWebhook'), clock)).toBe(noCredentials);
    expect(readAdmissionConfiguration(undefined).size).toBe(0);
  });

  it.each([
    ['another kind', 'kind: Other\napiVersion: apiserver.config.k8s.io/v1'],
    ['another version', 'kind: AdmissionConfiguration\napiVersion: v7'],
    ['no object', '- 1'],
    ['a plugin twice', `${whole('path: ""')}- name: ValidatingAdmissionWebhook\n`],
  ])('is refused with %s', (_, text) => {
    expect(() => readAdmissionConfiguration(write('config', text))).toThrow();
  });

  it('is refused with a configuration of webhooks that is none, or names a file that is not there', () => {
    const of = (entry: string) => () =>
      webhookCredentials(
        readAdmissionConfiguration(write('config', whole(entry))).get('ValidatingAdmissionWebhook'),
        clock,
      );
    expect(of('configuration: {kind: Other}')).toThrow('WebhookAdmissionConfiguration');
    expect(of(`configuration:\n    ${indented}`)).toThrow();
  });
});
