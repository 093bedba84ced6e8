// The clients that are judged, and how the program of each is made ready. Its versions stand in its own manifest.
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

const fixtures = join(import.meta.dirname, '../../fixtures/clients');

export interface Adapter {
  readonly name: string;
  /** Makes ready what is needed in an empty folder and gives the command. @throws Error when the toolchain is missing */
  readonly command: (folder: string) => readonly string[];
}

export const adapters: readonly Adapter[] = [
  { name: 'controllers/runtime', command: () => node('runtime/main.ts') },
  { name: 'client-node informer', command: () => node('client-node/informer.ts') },
  { name: 'client-node watch', command: () => node('client-node/watch.ts') },
  { name: 'Python watch', command: (folder) => python('python/watch.py', folder) },
  { name: 'client-go informer', command: go },
  { name: 'kube-rs reflector', command: rust },
  { name: 'fabric8 informer', command: (folder) => java('java-fabric8', folder) },
  { name: 'Java informer', command: (folder) => java('java-official', folder) },
  { name: 'kubectl get -w', command: kubectl },
];

const run = (program: string, args: readonly string[], cwd?: string): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], ...(cwd ? { cwd } : {}) });

const node = (file: string): readonly string[] => [process.execPath, join(fixtures, file)];

/** A program in Python, in an environment of its own. */
function python(file: string, folder: string): readonly string[] {
  run('python3', ['-m', 'venv', folder]);
  const inside = (name: string): string => join(folder, 'bin', name);
  run(inside('pip'), ['install', '--quiet', '--requirement', join(fixtures, file, '../requirements.txt')]);
  return [inside('python'), join(fixtures, file)];
}

function go(folder: string): readonly string[] {
  const program = join(folder, 'client');
  run('go', ['build', '-o', program, '.'], join(fixtures, 'go'));
  return [program];
}

/** `CARGO_TARGET_DIR` spares the next run what this one has built. */
function rust(folder: string): readonly string[] {
  cpSync(join(fixtures, 'rust'), folder, { recursive: true });
  run('cargo', ['build', '--quiet'], folder);
  return [join(process.env['CARGO_TARGET_DIR'] ?? join(folder, 'target'), 'debug/touchstone-client')];
}

function java(name: string, folder: string): readonly string[] {
  cpSync(join(fixtures, name), folder, { recursive: true });
  run('mvn', ['--quiet', '--batch-mode', 'compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'], folder);
  const target = join(folder, 'target');
  // Dozens are started: what matters is that each is soon there.
  const soon = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  return ['java', ...soon, '-cp', `${target}/classes:${target}/dependency/*`, 'Main'];
}

function kubectl(): readonly string[] {
  run('kubectl', ['version', '--client']);
  return ['env', `NODE=${process.execPath}`, join(fixtures, 'kubectl/watch.sh')];
}
