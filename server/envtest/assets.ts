import { chmodSync, closeSync, existsSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { fileTrouble } from '../../file-trouble.ts';
import { makeFolder } from '../../make-folder.ts';
import { UsageError } from '../../mistyped.ts';
import { shellWord } from '../base/shell-word.ts';
import { parseFlags } from '../options/command-line.ts';
import { serverFlags } from '../options/flags.ts';

const usage = `Usage: touchstone envtest-assets DIR

Writes stand-ins for the programs that the tests of controller-runtime projects start (kube-apiserver, etcd and kubectl), so that

  KUBEBUILDER_ASSETS=DIR go test ./...

runs them, unchanged, on the reference server. They lead to this installation of touchstone, so write them anew when it has moved.

Example:
  touchstone envtest-assets ~/.touchstone/envtest
  export KUBEBUILDER_ASSETS=~/.touchstone/envtest
`;

/** `touchstone envtest-assets`. */
export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  try {
    parseFlags(
      [],
      args.filter((arg) => arg.startsWith('-')),
    );
    const [given, ...more] = args;
    if (given === undefined || more.length > 0) throw new UsageError('name one folder, such as ~/.touchstone/envtest');
    process.stdout.write(`export KUBEBUILDER_ASSETS=${writeAssets(given)}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`touchstone envtest-assets: ${fileTrouble(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/**
 * Gives the folder, absolute.
 * @throws Error when it cannot be written
 * @throws UsageError, and nothing is written, when it has such programs of somebody else's
 */
export function writeAssets(given: string): string {
  const folder = resolve(given);
  makeFolder(folder);
  const files = Object.entries(programs()).map(([name, text]) => ({ file: join(folder, name), text }));
  const theirs = files.find(({ file }) => existsSync(file) && !isOurs(file));
  if (theirs) throw new UsageError(`${theirs.file} is there, and none of ours: name another folder`);
  for (const { file, text } of files) writeProgram(file, text);
  return folder;
}

function writeProgram(file: string, text: string): void {
  try {
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  } catch (error) {
    // Of a full disk it tells without the file.
    throw Object.assign(error as Error, { path: file });
  }
}

/** What each of them begins with. */
const head = '#!/bin/sh\n# Written by touchstone envtest-assets.\n';

/** Whether it begins like ours, or is as far as we got. Not read whole: a genuine one is large. */
function isOurs(file: string): boolean {
  if (!statSync(file).isFile()) return false;
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(head.length);
    const length = readSync(descriptor, start);
    return head.startsWith(start.toString('utf8', 0, length));
  } finally {
    closeSync(descriptor);
  }
}

/** Asked for help, as they are for the flags they know, they answer without Node: envtest asks at every start. */
const programOf = (command: string, flags: readonly string[]) => `${head}if [ "$1" = --help ]; then
cat <<'END'
${flags.map((flag) => `      --${flag}`).join('\n')}
END
exit 0
fi
exec ${shellWord(process.execPath)} ${shellWord(commandFile())} ${command} "$@"
`;

const commandFile = () => join(import.meta.dirname, '..', '..', `touchstone${extname(import.meta.filename)}`);

/** The one on the path, but not this one. */
const kubectl = `${head}here=$(cd "$(dirname "$0")" && pwd)
IFS=:
for folder in $PATH; do
  if [ "$folder" != "$here" ] && [ -x "$folder/kubectl" ]; then exec "$folder/kubectl" "$@"; fi
done
echo 'touchstone: there is no kubectl on the PATH: install one' >&2
exit 127
`;

const programs = () => ({
  'kube-apiserver': programOf(
    'envtest-apiserver',
    serverFlags.map(({ name }) => name),
  ),
  etcd: programOf('envtest-etcd', ['listen-client-urls', 'advertise-client-urls', 'data-dir', 'unsafe-no-fsync']),
  kubectl,
});
