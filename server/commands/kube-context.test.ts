import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { kubeconfigFor } from '../kubeconfig.ts';
import { addContext, removeContext } from './kube-context.ts';

const ours = kubeconfigFor({ url: 'https://127.0.0.1:1', certificateAuthority: 'ca', token: 't' });
const theirs = `# My clusters.
apiVersion: v1
kind: Config
clusters:
- name: work # the big one
  cluster: {server: "https://work"}
users: []
contexts: null
current-context: work
preferences: {}
`;
let folder: string;
let file: string;

beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, 'deep', 'config');
});

describe('a context in the user’s kubeconfig', () => {
  it('comes into one that is not there yet, for the owner alone, and is the current one', () => {
    addContext({ file, name: 'trial' }, ours);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
      clusters: [{ name: 'trial', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'trial', user: { token: 't' } }],
      contexts: [{ name: 'trial', context: { cluster: 'trial', user: 'trial' } }],
      'current-context': 'trial',
    });
    removeContext({ file, name: 'trial' });
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({ clusters: [], contexts: [], 'current-context': '' });
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it.each(['', '\n'])('comes into one in which nothing is: %j', (nothing) => {
    const made = join(folder, 'made');
    writeFileSync(made, nothing);
    addContext({ file: made, name: 'trial' }, ours);
    expect(parse(readFileSync(made, 'utf8'))).toMatchObject({ kind: 'Config', 'current-context': 'trial' });
    writeFileSync(made, nothing);
    expect(() => removeContext({ file: made, name: 'trial' })).not.toThrow();
  });

  it('leaves all else as it is: comments, other entries, the current context, a link', () => {
    const real = join(folder, 'real');
    file = join(folder, 'link');
    writeFileSync(real, theirs);
    symlinkSync(real, file);
    addContext({ file, name: 'trial' }, ours);
    const text = readFileSync(real, 'utf8');
    expect(text).toContain('# My clusters.');
    expect(text).toContain('# the big one');
    expect(parse(text)).toMatchObject({ 'current-context': 'work', clusters: [{ name: 'work' }, { name: 'trial' }] });
    removeContext({ file, name: 'trial' });
    expect(parse(readFileSync(real, 'utf8'))).toMatchObject({ clusters: [{ name: 'work' }], users: [] });
  });

  it('takes no name that is taken, and touches nothing then', () => {
    file = join(folder, 'config');
    writeFileSync(file, theirs);
    expect(() => addContext({ file, name: 'work' }, ours)).toThrow('has work among its clusters already');
    expect(readFileSync(file, 'utf8')).toBe(theirs);
  });

  const noLists = [
    'kind: Config\nclusters: {}\n',
    'kind: Config\nusers: x\n',
    'kind: Config\nusers: &a []\ncontexts: *a\n',
  ];
  it.each(['- a list', 'kind: Pod', '{ unfinished', ...noLists])('comes not into %j', (text) => {
    file = join(folder, 'config');
    writeFileSync(file, text);
    expect(() => addContext({ file, name: 'trial' }, ours)).toThrow('is no kubeconfig');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('comes into no folder', () => {
    expect(() => addContext({ file: folder, name: 'trial' }, ours)).toThrow(`${folder} is no kubeconfig, but a folder`);
  });

  it('is gone already where the file is', () => {
    expect(() => removeContext({ file, name: 'trial' })).not.toThrow();
  });
});
