#!/usr/bin/env node
import { createRequire, enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Halves the time to start from the second run on. Where the folder cannot be written there is simply no cache.
enableCompileCache(join(import.meta.dirname, 'node_modules', '.cache', 'touchstone'));

/** The commands, each loaded only when it is asked for. Every one answers the exit code. */
const commands: Readonly<Record<string, () => Promise<{ main(args: readonly string[]): Promise<number> }>>> = {
  compare: () => import('./conformance/oracle/main.ts'),
  conformance: () => import('./conformance/main.ts'),
  controllers: () => import('./controllers/main.ts'),
  down: async () => ({ main: (await import('./server/up.ts')).down }),
  'envtest-apiserver': () => import('./server/envtest-apiserver.ts'),
  'envtest-assets': () => import('./server/envtest-assets.ts'),
  'envtest-etcd': () => import('./server/envtest-etcd.ts'),
  explain: async () => ({ main: (await import('./conformance/commands/rules.ts')).explain }),
  judge: () => import('./conformance/parties/main.ts'),
  lab: () => import('./conformance/lab/main.ts'),
  report: () => import('./conformance/commands/report.ts'),
  rules: async () => ({ main: (await import('./conformance/commands/rules.ts')).rules }),
  serve: () => import('./server/main.ts'),
  snapshot: async () => ({ main: (await import('./server/snapshot-command.ts')).snapshot }),
  up: async () => ({ main: (await import('./server/up.ts')).up }),
  webhooks: () => import('./webhooks/main.ts'),
};

const usage = `Usage: touchstone <command> [flags]

Commands:
  compare       play generated work against two API servers and show where they differ
  conformance   judge an API server by the documented rules
  controllers   run the reference controllers against an API server
  down          end what up started
  envtest-assets  write stand-ins for kube-apiserver, etcd and kubectl, for the tests of controller-runtime projects
  explain       tell all about one of these rules
  judge         judge another party of the API: a client, a webhook
  lab           make keys, certificates and tokens for conformance rules that need them
  report        show the reports of several runs side by side in one page
  rules         print the rules
  serve         start the reference API server
  snapshot      save what a server keeps into a file, or load it from one
  up            start the reference server with controllers and a pretended node
  webhooks      serve example admission policies

touchstone <command> --help tells more; touchstone --version says which this is.
`;

const [command = '', ...args] = process.argv.slice(2);
const load = commands[command];
if (load) {
  process.exitCode = await (await load()).main(args);
} else if (command === '--version' || command === 'version') {
  const { version } = createRequire(import.meta.url)('touchstone/package.json') as { version: string };
  process.stdout.write(`${version}\n`);
} else {
  const asked = command === '--help' || command === '-h' || command === 'help';
  (asked ? process.stdout : process.stderr).write(
    command && !asked ? `touchstone: unknown command ${JSON.stringify(command)}\n\n${usage}` : usage,
  );
  process.exitCode = asked ? 0 : 2;
}
