// The clients that are judged, and how the program of each is made ready. Its versions stand in its own manifest.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Workshop } from './workshop.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/clients');

type Command = readonly string[];

export interface Adapter {
  readonly name: string;
  /** It has no copy to keep: it goes on its tour alone. */
  readonly onlyTours?: true;
  /** Makes ready what is needed and gives the command. @throws NotToBeHad; Error when what is ours cannot be made */
  readonly command: (workshop: Workshop) => Promise<Command>;
}

export const adapters: readonly Adapter[] = [
  { name: 'controllers/runtime', command: async () => node('runtime/main.ts', '--conditions=@touchstone/source') },
  { name: 'client-node informer', command: async () => node('client-node/informer.ts') },
  { name: 'client-node watch', command: async () => node('client-node/watch.ts') },
  { name: 'Python informer', command: python('python', 'informer.py') },
  { name: 'Python watch', command: python('python', 'watch.py') },
  { name: 'kopf index', command: python('kopf', 'main.py') },
  { name: 'client-go informer', command: go('client-go') },
  { name: 'controller-runtime', command: go('controller-runtime') },
  { name: 'kube-rs reflector', command: rust },
  { name: 'fabric8 informer', command: java('java-fabric8') },
  { name: 'Java informer', command: java('java-official') },
  { name: 'kubectl get -w', command: (workshop) => kubectl('kubectl', workshop) },
  ...['1.25', '1.28', '1.31', '1.34'].map((version) => ({
    name: `kubectl ${version}`,
    onlyTours: true as const,
    command: kubectlOf(version),
  })),
  { name: 'kubernetes.core of Ansible', onlyTours: true, command: ansible },
  { name: 'cdk8s', onlyTours: true, command: cdk8s },
];

function node(file: string, ...options: readonly string[]): Command {
  return [process.execPath, ...options, join(fixtures, file)];
}

/** The sources of a program, where what is made of them may stand beside. */
function copied(name: string, { folder }: Workshop): string {
  const copy = folder(name);
  rmSync(join(copy, 'src'), { recursive: true, force: true });
  cpSync(join(fixtures, name), copy, { recursive: true });
  return copy;
}

/** An environment of its own, with what stands in the manifest. Gives the folder of its programs. */
async function environment(name: string, { folder, fetch }: Workshop): Promise<string> {
  const programs = join(folder(name), 'bin');
  const pip = join(programs, 'pip');
  if (!existsSync(pip)) await fetch('python3', ['-m', 'venv', folder(name)]);
  await fetch(pip, ['install', '--quiet', '--requirement', join(fixtures, name, 'requirements.txt')]);
  return programs;
}

function python(name: string, file: string): Adapter['command'] {
  return async (workshop) => [join(await environment(name, workshop), 'python'), join(fixtures, name, file)];
}

async function ansible(workshop: Workshop): Promise<Command> {
  const programs = await environment('ansible', workshop);
  return ['env', `ANSIBLE_PLAYBOOK=${join(programs, 'ansible-playbook')}`, join(fixtures, 'ansible/tour.sh')];
}

function go(name: string): Adapter['command'] {
  return async ({ folder, fetch, build }) => {
    const [sources, program] = [join(fixtures, 'go'), join(folder('go'), name)];
    await fetch('go', ['list', '-deps', `./${name}`], sources);
    await build('go', ['build', '-o', program, `./${name}`], sources);
    return [program];
  };
}

async function rust(workshop: Workshop): Promise<Command> {
  const folder = copied('rust', workshop);
  const target = process.env['CARGO_TARGET_DIR'] ?? join(folder, 'target');
  await workshop.fetch('cargo', ['fetch', '--quiet'], folder);
  await workshop.build('cargo', ['build', '--quiet', '--offline', '--target-dir', target], folder);
  return [join(target, 'debug/touchstone-client')];
}

function java(name: string): Adapter['command'] {
  return async (workshop) => {
    const folder = copied(name, workshop);
    rmSync(join(folder, 'target'), { recursive: true, force: true });
    const [libraries, classes] = [join(folder, 'target/dependency'), join(folder, 'target/classes')];
    const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime'];
    await workshop.fetch('mvn', ['--quiet', '--batch-mode', ...copy], folder);
    const sources = ['Main', 'Tour'].map((each) => join(folder, `src/main/java/${each}.java`));
    await workshop.build('javac', ['-cp', `${libraries}/*`, '-d', classes, ...sources]);
    // Dozens are started: what matters is that each is soon there.
    const soon = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
    return ['java', ...soon, '-cp', `${classes}:${libraries}/*`, 'Main'];
  };
}

async function kubectl(program: string, { fetch }: Pick<Workshop, 'fetch'>): Promise<Command> {
  await fetch(program, ['version', '--client']);
  return ['env', `NODE=${process.execPath}`, `KUBECTL=${program}`, join(fixtures, 'kubectl/watch.sh')];
}

/** kubectl of another version than the one that is there, built from its modules. */
function kubectlOf(version: string): Adapter['command'] {
  return async (workshop) => {
    const folder = copied(`kubectl/versions/${version}`, workshop);
    cpSync(join(fixtures, 'kubectl/versions/main.go'), join(folder, 'main.go'));
    await workshop.fetch('go', ['list', '-deps', '.'], folder);
    await workshop.build('go', ['build', '-o', 'kubectl', '.'], folder);
    return kubectl(join(folder, 'kubectl'), workshop);
  };
}

async function cdk8s(workshop: Workshop): Promise<Command> {
  await workshop.fetch('kubectl', ['version', '--client']);
  const folder = copied('cdk8s', workshop);
  await workshop.fetch('npm', ['install', '--no-package-lock', '--prefer-offline', '--no-audit', '--no-fund'], folder);
  return [process.execPath, join(folder, 'tour.js')];
}
