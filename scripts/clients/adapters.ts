// The clients that are judged, and how the program of each is made ready. Its versions stand in its own manifest.
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

const fixtures = join(import.meta.dirname, '../../fixtures/clients');

export interface Adapter {
  readonly name: string;
  /** It has no copy to keep: it goes on its tour alone. */
  readonly onlyTours?: true;
  /** Makes ready what is needed in an empty folder and gives the command. @throws Error when the toolchain is missing */
  readonly command: (folder: string) => readonly string[];
}

export const adapters: readonly Adapter[] = [
  { name: 'controllers/runtime', command: () => node('runtime/main.ts', '--conditions=@touchstone/source') },
  { name: 'client-node informer', command: () => node('client-node/informer.ts') },
  { name: 'client-node watch', command: () => node('client-node/watch.ts') },
  { name: 'Python informer', command: (folder) => python('python/informer.py', folder) },
  { name: 'Python watch', command: (folder) => python('python/watch.py', folder) },
  { name: 'kopf index', command: (folder) => python('kopf/main.py', folder) },
  { name: 'client-go informer', command: (folder) => go('client-go', folder) },
  { name: 'controller-runtime', command: (folder) => go('controller-runtime', folder) },
  { name: 'kube-rs reflector', command: rust },
  { name: 'fabric8 informer', command: (folder) => java('java-fabric8', folder) },
  { name: 'Java informer', command: (folder) => java('java-official', folder) },
  { name: 'kubectl get -w', command: () => kubectl('kubectl') },
  ...['1.25', '1.28', '1.31', '1.34'].map((version) => ({
    name: `kubectl ${version}`,
    onlyTours: true as const,
    command: (folder: string) => kubectl(kubectlOf(version, folder)),
  })),
  { name: 'kubernetes.core of Ansible', onlyTours: true, command: ansible },
  { name: 'cdk8s', onlyTours: true, command: cdk8s },
];

const run = (program: string, args: readonly string[], cwd?: string): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], ...(cwd ? { cwd } : {}) });

const node = (file: string, ...options: readonly string[]): readonly string[] => [
  process.execPath,
  ...options,
  join(fixtures, file),
];

/** An environment of its own, with what stands in this manifest. Gives the folder of its programs. */
function environment(manifest: string, folder: string): string {
  run('python3', ['-m', 'venv', folder]);
  const programs = join(folder, 'bin');
  run(join(programs, 'pip'), ['install', '--quiet', '--requirement', join(fixtures, manifest)]);
  return programs;
}

const python = (file: string, folder: string): readonly string[] => [
  join(environment(join(file, '../requirements.txt'), folder), 'python'),
  join(fixtures, file),
];

function ansible(folder: string): readonly string[] {
  const programs = environment('ansible/requirements.txt', folder);
  return ['env', `ANSIBLE_PLAYBOOK=${join(programs, 'ansible-playbook')}`, join(fixtures, 'ansible/tour.sh')];
}

function go(name: string, folder: string): readonly string[] {
  const program = join(folder, name);
  run('go', ['build', '-o', program, `./${name}`], join(fixtures, 'go'));
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

function kubectl(program: string): readonly string[] {
  run(program, ['version', '--client']);
  return ['env', `NODE=${process.execPath}`, `KUBECTL=${program}`, join(fixtures, 'kubectl/watch.sh')];
}

/** kubectl of another version than the one that is there, built from its modules. */
function kubectlOf(version: string, folder: string): string {
  cpSync(join(fixtures, 'kubectl/versions', version), folder, { recursive: true });
  cpSync(join(fixtures, 'kubectl/versions/main.go'), join(folder, 'main.go'));
  run('go', ['build', '-o', 'kubectl', '.'], folder);
  return join(folder, 'kubectl');
}

function cdk8s(folder: string): readonly string[] {
  run('kubectl', ['version', '--client']);
  cpSync(join(fixtures, 'cdk8s'), folder, { recursive: true });
  run('npm', ['install', '--no-package-lock'], folder);
  return [process.execPath, join(folder, 'tour.js')];
}
