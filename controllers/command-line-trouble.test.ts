import { expect, test } from 'vitest';
import { filesIn, temporaryFolder } from '../fixtures/temporary-folder.fixture.ts';
import { UsageError } from '../mistyped.ts';
import { chooseControllers } from './choose.ts';
import { checkFiles, troubleOf } from './command-line-trouble.ts';
import { parseFlags } from './flags.ts';
import { serveHealth } from './runtime/health.ts';

const folder = temporaryFolder();
const file = filesIn(folder)('file', '');

test.each([
  [`--kubeconfig=${folder}`, `--kubeconfig: ${folder} cannot be read (it is a folder)`],
  [`--kubeconfig=${folder}/none`, `--kubeconfig: there is no ${folder}/none`],
  [`--cluster-signing-key-file=${folder}`, `--cluster-signing-key-file: ${folder} cannot be read (it is a folder)`],
  [
    `--root-ca-file=${file}/in`,
    `--root-ca-file: ${file}/in cannot be read (it is no folder, or below something that is none)`,
  ],
])('%s is a mistake on the command line', (flag, message) => {
  const check = () => checkFiles(parseFlags([flag]));
  expect(check).toThrow(UsageError);
  expect(check).toThrow(message);
});

test('files that can be read are none', () => {
  expect(() => checkFiles(parseFlags([`--kubeconfig=${file}`, `--volumes-dir=${folder}/none`]))).not.toThrow();
});

test('names and addresses that there are none of are mistakes on the command line', async () => {
  expect(() => chooseControllers(['-jbo'])).toThrow(UsageError);

  const parts = { notAlive: () => undefined, notReady: () => undefined } as unknown as Parameters<
    typeof serveHealth
  >[1];
  await expect(serveHealth('nowhere', parts)).rejects.toThrow(UsageError);
});

test.each([
  [9090, '--metrics-bind-address'],
  [8080, '--ingress-http-port'],
  [8443, '--ingress-https-port'],
])('of port %i it is said that %s chose it', (port, flag) => {
  const places = parseFlags(['--metrics-bind-address=127.0.0.1:9090']);
  const failure = (code: string) => Object.assign(new Error(`listen ${code}`), { code, port, address: '127.0.0.1' });
  const taken = `port ${port} of 127.0.0.1 is taken: choose another with ${flag}, or 0 for a free one`;
  expect(troubleOf(failure('EADDRINUSE'), places)).toBe(taken);
  expect(troubleOf(failure('EACCES'), places)).toBe(
    `port ${port} is for the system alone: choose one from 1024 up with ${flag}`,
  );
  expect(troubleOf(failure('EOTHER'), places)).toBe('listen EOTHER');
  expect(troubleOf('a text', places)).toBe('a text');
});
