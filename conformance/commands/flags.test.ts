import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { UsageError } from '../../mistyped.ts';
import { flags, readSettings, usage } from './flags.ts';

const folder = temporaryFolder();
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('a command line that makes sense', () => {
  test('is empty: the reference server, all rules, modest defaults', () => {
    const settings = readSettings([]);
    expect(settings).toMatchObject({
      rules: [],
      chapters: [],
      levels: [],
      skip: [],
      out: 'reports',
      timeout: 60_000,
      keep: false,
      failFast: false,
      list: false,
      selfCheck: false,
    });
    expect(settings.target).toBeUndefined();
    expect(settings.workers).toBeGreaterThanOrEqual(1);
  });

  test('names a server and the credentials for it', () => {
    const pem = fileOf('ca.pem', 'PEM');
    const argv = [
      '--server',
      'https://host:6443/',
      '--token=T',
      '--certificate-authority',
      pem,
      '--insecure-skip-tls-verify',
      '--client-certificate',
      pem,
      '--client-key',
      pem,
    ];
    expect(readSettings(argv).target).toEqual({
      url: 'https://host:6443',
      token: 'T',
      certificateAuthority: 'PEM',
      insecure: true,
      clientCertificate: 'PEM',
      clientKey: 'PEM',
    });
  });

  test('names a kubeconfig and a context', () => {
    const file = fileOf(
      'kubeconfig',
      JSON.stringify({
        clusters: [
          { name: 'c', cluster: { server: 'https://c:1' } },
          { name: 'd', cluster: { server: 'https://d:2', 'insecure-skip-tls-verify': true } },
        ],
        users: [{ name: 'u', user: { token: 'T' } }],
        contexts: [
          { name: 'one', context: { cluster: 'c', user: 'u' } },
          { name: 'two', context: { cluster: 'd', user: 'u' } },
        ],
        'current-context': 'one',
      }),
    );
    expect(readSettings(['--kubeconfig', file]).target).toEqual({ url: 'https://c:1', token: 'T' });
    expect(readSettings(['--kubeconfig', file, '--context', 'two']).target).toEqual({
      url: 'https://d:2',
      token: 'T',
      insecure: true,
    });
  });

  test('repeats what may be repeated', () => {
    const settings = readSettings([
      '--rule',
      'verbs.get',
      '--rule=verbs.list',
      '--chapter',
      'lists',
      '--level',
      'may',
      '--skip',
      'names.required',
      '--capability',
      'clock',
    ]);
    expect(settings).toMatchObject({
      rules: ['verbs.get', 'verbs.list'],
      chapters: ['lists'],
      levels: ['may'],
      skip: ['names.required'],
      capabilities: ['clock'],
    });
  });

  test('tells of the lab and of the way back to this machine', () => {
    const argv = ['--server', 'https://host', '--lab', 'labs/one', '--webhook-host'];
    expect(readSettings([...argv, '10.1.2.3'])).toMatchObject({ lab: 'labs/one', webhookHost: '10.1.2.3' });
    expect(readSettings([...argv, '[fd00::1]']).webhookHost).toBe('fd00::1');
    expect(readSettings([...argv, 'suite.example.com']).webhookHost).toBe('suite.example.com');
  });

  test('gives times in seconds', () => {
    expect(readSettings(['--timeout', '1.5']).timeout).toBe(1_500);
  });
});

describe('one that does not is told in one line', () => {
  test.each([
    [['--nonsense'], 'nonsense'],
    [['stray'], 'stray'],
    [['--server'], 'server'],
    [['--server', 'host:6443'], '--server'],
    [['--server', 'ftp://host'], 'no http or https address'],
    [['--token', 'T'], '--token needs --server'],
    [['--context', 'c'], '--context needs --kubeconfig'],
    [['--server', 'https://h', '--kubeconfig', 'f'], 'exclude each other'],
    [['--kubeconfig', '/no/such/file'], '/no/such/file'],
    [['--server', 'https://h', '--certificate-authority', '/no/such/file'], 'there is no file /no/such/file'],
    [
      ['--server', 'https://h', '--certificate-authority', import.meta.dirname],
      `--certificate-authority: ${import.meta.dirname} cannot be read (it is a folder)`,
    ],
    [['--server', 'https://h', '--client-key', '/dev/null'], 'belong together'],
    [['--rule', 'lists.nonsense'], 'there is no rule "lists.nonsense"'],
    [['--rule', 'lists.paging.limt'], '(did you mean lists.paging.limit?)'],
    [['--chapter', 'nonsense'], 'there is no chapter "nonsense"'],
    [['--chapter', 'list'], '(did you mean lists?)'],
    [['--level', 'shall'], '--level takes must, should or may, not "shall"'],
    [['--level', 'mus'], '(did you mean must?)'],
    [['--profile', 'coer'], '(did you mean core?)'],
    [['--skip', 'x'], 'there is no rule "x"'],
    [['--capability', 'wings'], 'not "wings"'],
    [['--capability', 'clok'], '(did you mean clock?)'],
    [['--lab', 'labs/one'], '--lab needs --server'],
    [['--webhook-host', 'https://host/'], 'no name or address of a host'],
    [['--webhook-host', 'a b'], 'no name or address of a host'],
    [['--timeout', 'soon'], 'soon is no number of seconds'],
    [['--timeout', '0'], '0 is no number of seconds'],
    [['--workers', '1.5'], '1.5 is no whole number'],
    [['--workers', '0'], '0 is no whole number'],
  ])('%j', (argv, message) => {
    const read = () => readSettings(argv);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
    try {
      read();
    } catch (error) {
      expect((error as Error).message).not.toContain('\n');
    }
  });
});

test('the help tells every flag', () => {
  for (const { name } of flags) expect(usage()).toContain(`--${name}`);
});
