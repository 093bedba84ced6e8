#!/usr/bin/env node
import { createRequire, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { reasonOf } from './file-trouble.ts';

// Halves the time to start from the second run on. Where the folder cannot be written there is simply no cache.
enableCompileCache(join(import.meta.dirname, 'node_modules', '.cache', 'touchstone'));

interface Command {
  /** One line; missing: it is called by programs alone. */
  readonly about?: string;
  /** What follows the name, as people would type it. */
  readonly examples?: readonly string[];
  /** What may follow the name at once. */
  readonly words?: readonly string[];
  /** Loaded only when it is asked for. Every one answers the exit code. */
  readonly load: () => Promise<{ main(args: readonly string[]): Promise<number> }>;
}

const commands: Readonly<Record<string, Command>> = {
  compare: {
    about: 'play generated work against two API servers and show where they differ',
    examples: [
      '--server https://HOST:6443 --token TOKEN',
      '--kubeconfig ~/.kube/config --time 60 --json differences.json',
    ],
    load: () => import('./conformance/oracle/main.ts'),
  },
  completion: {
    about: 'print a script that makes bash, zsh or fish complete commands and flags',
    examples: ['bash >> ~/.bashrc', 'fish | source'],
    words: ['bash', 'zsh', 'fish'],
    load: async () => ({ main: complete }),
  },
  conformance: {
    about: 'judge an API server by the documented rules',
    examples: [
      '',
      '--server https://HOST:6443 --token TOKEN --certificate-authority ca.crt',
      '--rule lists.paging.limit',
      '--kubeconfig ~/.kube/config --profile core --yes',
    ],
    load: () => import('./conformance/main.ts'),
  },
  controllers: {
    about: 'run the reference controllers against an API server',
    examples: ["--kubeconfig ~/.kube/config --controllers='*,-job'"],
    load: () => import('./controllers/main.ts'),
  },
  down: {
    about: 'end what up started',
    examples: [''],
    load: async () => ({ main: (await import('./server/commands/up.ts')).down }),
  },
  'envtest-apiserver': { load: () => import('./server/envtest/apiserver.ts') },
  'envtest-assets': {
    about: 'write stand-ins for kube-apiserver, etcd and kubectl, for the tests of controller-runtime projects',
    examples: ['~/.touchstone/envtest'],
    load: () => import('./server/envtest/assets.ts'),
  },
  'envtest-etcd': { load: () => import('./server/envtest/etcd.ts') },
  explain: {
    about: 'tell all about one of the rules',
    examples: ['lists.paging.limit'],
    load: async () => ({ main: (await import('./conformance/commands/rules.ts')).explain }),
  },
  judge: {
    about: 'judge another party of the API: a client, a webhook, an ingress controller, a signer',
    words: ['client', 'ingress', 'signer', 'webhook'],
    load: () => import('./conformance/parties/main.ts'),
  },
  lab: {
    about: 'make keys, certificates and tokens for conformance rules that need them',
    examples: ['--dir ./lab'],
    load: () => import('./conformance/lab/main.ts'),
  },
  report: {
    about: 'show the reports of several runs side by side in one page',
    examples: ['one/conformance.json two/conformance.json --out both.html'],
    load: () => import('./conformance/commands/report.ts'),
  },
  rules: {
    about: 'print the rules',
    examples: ['', '--markdown'],
    load: async () => ({ main: (await import('./conformance/commands/rules.ts')).rules }),
  },
  serve: {
    about: 'start the reference API server',
    examples: ['', "--secure-port 0 --controllers='*'", '--faults --data-dir ./data', '--kube-context trial'],
    load: () => import('./server/commands/serve.ts'),
  },
  snapshot: {
    about: 'save what a server keeps into a file, or load it from one',
    words: ['save', 'load'],
    examples: ['save objects.jsonl --data-dir ./data', 'load objects.jsonl --data-dir ./copy'],
    load: async () => ({ main: (await import('./server/commands/snapshot.ts')).snapshot }),
  },
  up: {
    about: 'start the reference server with controllers and a pretended node',
    examples: ['', '--detach --kube-context trial'],
    load: async () => ({ main: (await import('./server/commands/up.ts')).up }),
  },
  webhooks: {
    about: 'serve example admission policies',
    examples: ['--install --kubeconfig ~/.kube/config', '--list'],
    load: () => import('./webhooks/main.ts'),
  },
};

const shown = Object.entries(commands).flatMap(([name, { about, examples = [], words = [], load }]) =>
  about ? [{ name, about, examples, words, load }] : [],
);
const width = Math.max(...shown.map(({ name }) => name.length)) + 2;

const usage = `Usage: touchstone <command> [flags]

Commands:
${shown.map(({ name, about }) => `  ${name.padEnd(width)}${about}`).join('\n')}

touchstone <command> --help tells more; touchstone --version says which this is.
`;

const asksForHelp = (args: readonly string[]) => args.includes('--help') || args.includes('-h');

async function run(name: string, { load, examples = [] }: Command, args: readonly string[]): Promise<number> {
  const code = await (await load()).main(args);
  // After what is run behind --, help would be that of something else.
  if (code === 0 && examples.length > 0 && asksForHelp(args.slice(0, args.indexOf('--') >>> 0)))
    process.stdout.write(
      `\nExamples:\n${examples.map((rest) => `  touchstone ${name} ${rest}`.trimEnd()).join('\n')}\n`,
    );
  return code;
}

/** `touchstone completion`: what each command says that it knows. */
async function complete([shell = '', ...more]: readonly string[]): Promise<number> {
  const { completion, flagsIn, shells } = await import('./server/commands/completion.ts');
  const known = shells.find((each) => each === shell);
  const help = asksForHelp([shell, ...more]);
  if (help || !known || more.length > 0) {
    const { meant } = await import('./mistyped.ts');
    const wrong = [...(known ? [] : [shell]), ...more][0];
    const complaint =
      help || !wrong
        ? ''
        : `touchstone completion: unexpected ${JSON.stringify(wrong)}${meant(wrong, [...shells, '--help'])}\n\n`;
    const text = `${complaint}Usage: touchstone completion ${shells.join('|')}\n\nPrints a script that makes the shell complete commands and flags.\n`;
    (help ? process.stdout : process.stderr).write(text);
    return help ? 0 : 2;
  }
  const completed = [];
  for (const { name, about, words, load } of shown) {
    const flags = new Set<string>();
    for (const word of name === 'completion' ? [] : ['', ...words])
      for (const flag of flagsIn(await helpOf(load, word))) flags.add(flag);
    completed.push({ name, about, words, flags: [...flags] });
  }
  process.stdout.write(completion(known, completed));
  return 0;
}

/** @param word what follows the command's name, and may have flags of its own */
async function helpOf(load: Command['load'], word: string): Promise<string> {
  const { main } = await load();
  const write = process.stdout.write;
  let text = '';
  process.stdout.write = (chunk) => {
    text += chunk;
    return true;
  };
  await main(word ? [word, '--help'] : ['--help']).finally(() => {
    process.stdout.write = write;
  });
  return text;
}

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return run(name, command, args);
  if (name === '--version' || name === 'version') {
    const { version } = createRequire(import.meta.url)('touchstone/package.json') as { version: string };
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const asked = name === '--help' || name === '-h' || name === 'help';
  const [about = ''] = args;
  if (asked && about) return main([about, '--help']);
  if (name && !asked) {
    const { noSuch } = await import('./mistyped.ts');
    const known = [...shown.map((each) => each.name), '--help', '--version'];
    process.stderr.write(`touchstone: ${noSuch('command', name, known)}; touchstone --help lists them\n`);
    return 2;
  }
  (asked ? process.stdout : process.stderr).write(usage);
  return asked ? 0 : 2;
}

/** A mistake of ours, since commands word those of others themselves. */
function unexpected(error: unknown): number {
  const traced = process.env['TOUCHSTONE_TRACE'] && error instanceof Error ? error.stack : undefined;
  const { message = String(error) } = (error ?? {}) as Partial<Error>;
  process.stderr.write(
    traced ? `${traced}\n` : `touchstone: ${message} (unexpected: TOUCHSTONE_TRACE=1 shows where)\n`,
  );
  return 1;
}

// Whoever reads may have read enough (`touchstone rules | head`), or the terminal is gone, and what runs goes on all the same.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || (error.code === 'EIO' && process.stdout.isTTY)) return;
  process.stderr.write(`touchstone: standard output cannot be written (${reasonOf(error)})\n`);
  process.exit(1);
});
// Nobody is left who could be told; a run on somebody's cluster still clears up.
process.stderr.on('error', () => undefined);
process.on('uncaughtException', (error) => process.exit(unexpected(error)));
process.exitCode = await main(process.argv.slice(2)).catch(unexpected);
