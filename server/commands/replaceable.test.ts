import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { filesIn, temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { kubeconfigFor } from '../kubeconfig.ts';
import { checkReplaceable } from './replaceable.ts';

const folder = temporaryFolder();
const write = filesIn(folder);
const ours = kubeconfigFor({ url: 'https://127.0.0.1:1', certificateAuthority: 'ca', token: 't' });
const config = JSON.parse(ours);
const refusal =
  /^--write-kubeconfig: \S+ is there, and no kubeconfig of ours alone: name another file, or .* --kube-context$/;

it.each([
  ['that is not there', join(folder, 'none')],
  ['that is empty', write('empty', '')],
  ['of an earlier server', write('ours', ours)],
  ['that kubectl wrote anew', write('anew', stringify({ preferences: {}, ...config }))],
  ['without entries', write('bare', 'apiVersion: v1\nkind: Config\nclusters: null\n')],
])('a file %s may be replaced', (_, file) => {
  expect(() => checkReplaceable(file)).not.toThrow();
});

it.each([
  ['with another context', stringify({ ...config, contexts: [...config.contexts, { name: 'work', context: {} }] })],
  ['with another user', stringify({ ...config, users: [{ name: 'me', user: {} }, ...config.users] })],
  ['that is no kubeconfig', 'apiVersion: v1\nkind: Secret\n'],
  ['that is a text', 'a text of many hours'],
  ['that is no YAML', '\u007fELF: {\u0000['],
])('a file %s is left as it is', (name, text) => {
  const file = write(name.replaceAll(' ', '-'), text);
  expect(() => checkReplaceable(file)).toThrow(refusal);
  symlinkSync(file, `${file}.link`);
  expect(() => checkReplaceable(`${file}.link`)).toThrow(refusal);
});

it('what is no file is left as it is; of a folder says who writes that it is one', () => {
  expect(() => checkReplaceable('/dev/null')).toThrow(refusal);
  mkdirSync(join(folder, 'folder'));
  expect(() => checkReplaceable(join(folder, 'folder'))).not.toThrow();
});
