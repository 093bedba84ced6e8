import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documented } from '../../party.ts';
import type { ClientProcess } from '../client-process.ts';
import type { ClientContext } from '../context.ts';
import { wants } from './credentials.ts';
import { staysOut } from './keeping.ts';

const api = 'client.authentication.k8s.io';

/** What a plugin prints. */
const credential = (status: object, version = 'v1'): object => ({
  apiVersion: `${api}/${version}`,
  kind: 'ExecCredential',
  status,
});

/** Members of `user.exec`; undefined leaves one out. */
type Exec = Readonly<Record<string, unknown>>;

interface Plugin {
  readonly client: ClientProcess;
  /** The environment and the arguments of each run. */
  readonly runs: () => readonly { readonly environment: string; readonly args: string }[];
}

/** Counts its runs, keeps what it is told, and prints what lies there for it. */
const script = (folder: string): string => `#!/bin/sh
cd '${folder}' || exit 1
run=$(($(cat count 2>/dev/null || echo 0) + 1))
env >environment-$run
printf '%s\\n' "$@" >args-$run
echo $run >count
while [ ! -f print-$run ]; do run=$((run - 1)); done
cat print-$run
exit "\${JUDGE_EXIT:-0}"
`;

/** Starts the client with a configuration whose user has a plugin that prints these, the last again and again. */
function plugged(
  { configuration, start }: ClientContext,
  prints: readonly object[],
  exec: Exec = {},
  cluster: object = {},
): Plugin {
  const { folder, write, save } = configuration;
  write('count', '0');
  write('plugin.sh', script(folder), 0o700);
  for (const [index, print] of prints.entries()) write(`print-${index + 1}`, JSON.stringify(print));
  const usual = { apiVersion: `${api}/v1`, command: join(folder, 'plugin.sh'), interactiveMode: 'Never' };
  save({ exec: { ...usual, args: null, env: null, ...exec } }, cluster);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    client: start(),
    runs: () =>
      Array.from({ length: existsSync(join(folder, 'count')) ? Number(read('count')) : 0 }, (_, index) => ({
        environment: read(`environment-${index + 1}`),
        args: read(`args-${index + 1}`),
      })),
  };
}

/** One token is let in, and one certificate, and there is something to see. */
function guarded({ world, whim }: ClientContext, token = 'from-the-plugin'): object {
  world.put('kept', { a: '1' });
  const mayAsk = wants(() => token);
  whim((seen) => (seen.certificate === 'plugin' ? undefined : mayAsk(seen)));
  return credential({ token });
}

/** What a run was told of itself by the variable of the documents or that of the stock clients. */
function inputOf(run: { readonly environment: string } | undefined): {
  spec?: Record<string, unknown>;
  [key: string]: unknown;
} {
  const line = /^(?:CLUSTER|KUBERNETES)_EXEC_INFO=(.*)$/m.exec(run?.environment ?? '');
  return line?.[1] ? JSON.parse(line[1]) : {};
}

/** The client can do what is asked of it: it shows what is there. */
const works = async ({ world }: ClientContext, { client }: Plugin, what: string): Promise<void> => {
  await client.shows(world.copy(), `what is there, ${what}`);
  await client.stop();
};

const soon = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

export default [
  // `user.exec.command` must be given; if relative, then to the client's configuration file.
  documented<ClientContext>('exec-plugin.command', {
    fault: 'plugin-from-own-folder',
    async check(context) {
      const print = guarded(context);
      await works(
        context,
        plugged(context, [print], { command: './plugin.sh' }),
        'by a command beside the configuration',
      );
      await staysOut(context, plugged(context, [print], { command: undefined }).client, 'without a command');
    },
  }),
  // `user.exec.apiVersion` must be given, `v1` or `v1beta1` of `client.authentication.k8s.io`.
  documented<ClientContext>('exec-plugin.api-version', {
    fault: 'plugin-any-version',
    async check(context) {
      guarded(context);
      for (const version of ['v1', 'v1beta1']) {
        const print = credential({ token: 'from-the-plugin' }, version);
        await works(
          context,
          plugged(context, [print], { apiVersion: `${api}/${version}` }),
          `by a plugin of ${version}`,
        );
      }
      const apiVersion = `${api}/v7`;
      const print = credential({ token: 'from-the-plugin' }, 'v7');
      await staysOut(
        context,
        plugged(context, [print], { apiVersion }).client,
        'by a plugin of a version that there is not',
      );
    },
  }),
  // `env`, `args`, `installHint` and `provideClusterInfo` may be given in `user.exec`.
  documented<ClientContext>('exec-plugin.settings', {
    fault: ['plugin-no-arguments', 'plugin-no-environment', 'plugin-by-shell'],
    async check(context) {
      const print = guarded(context);
      const env = [{ name: 'JUDGE_COLOUR', value: 'red' }];
      const plugin = plugged(context, [print], { args: ['one', 'and $HOME'], env, installHint: 'ask the plumber' });
      await works(context, plugin, 'by a plugin with arguments and variables');
      const [run] = plugin.runs();
      context.expect(run?.args, 'arguments of the plugin').toBe('one\nand $HOME\n');
      context.expect(run?.environment, 'variables of the plugin').toContain('JUDGE_COLOUR=red');
    },
  }),
  // By `provideClusterInfo` the plugin is told of the cluster in `spec.cluster`.
  documented<ClientContext>('exec-plugin.cluster-info', {
    fault: 'plugin-no-cluster',
    async check(context) {
      const print = guarded(context);
      const extensions = [{ name: `${api}/exec`, extension: { realm: 'judge' } }];
      const plugin = plugged(context, [print], { provideClusterInfo: true }, { extensions });
      await works(context, plugin, 'by a plugin that is told of the cluster');
      const cluster = inputOf(plugin.runs()[0]).spec?.['cluster'];
      context
        .expect(cluster, 'what the plugin is told')
        .toMatchObject({ server: context.server.url, config: { realm: 'judge' } });
      context.expect(cluster).toHaveProperty('certificate-authority-data');
    },
  }),
  // `interactiveMode` must be given in `v1` and is `IfAvailable` by default in `v1beta1`.
  documented<ClientContext>('exec-plugin.interactive-mode', {
    fault: 'plugin-no-mode',
    async check(context) {
      const print = guarded(context);
      await works(context, plugged(context, [print], { interactiveMode: 'IfAvailable' }), 'if a keyboard is available');
      const beta = { apiVersion: `${api}/v1beta1`, interactiveMode: undefined };
      const printed = credential({ token: 'from-the-plugin' }, 'v1beta1');
      await works(context, plugged(context, [printed], beta), 'without a mode in v1beta1');
      await staysOut(context, plugged(context, [print], { interactiveMode: undefined }).client, 'without a mode in v1');
    },
  }),
  // `Always` without somebody at the keyboard is an error, and the plugin stays unused.
  documented<ClientContext>('exec-plugin.interactive-mode.always', {
    fault: 'plugin-always',
    async check(context) {
      const print = guarded(context);
      const plugin = plugged(context, [print], { interactiveMode: 'Always' });
      await staysOut(context, plugin.client, 'by a plugin that wants a keyboard');
      context.expect(plugin.runs(), 'runs of the plugin').toEqual([]);
      await works(context, plugged(context, [print]), 'by a plugin that wants none');
    },
  }),
  // The plugin finds an ExecCredential in the variable `CLUSTER_EXEC_INFO`, which says whether it may ask.
  documented<ClientContext>('exec-plugin.input', {
    fault: 'plugin-no-input',
    async check(context) {
      const plugin = plugged(context, [guarded(context)]);
      await works(context, plugin, 'by a plugin');
      const input = inputOf(plugin.runs()[0]);
      context
        .expect(input)
        .toMatchObject({ apiVersion: `${api}/v1`, kind: 'ExecCredential', spec: { interactive: false } });
    },
  }),
  // The plugin prints an ExecCredential with a token or with certificate and key.
  documented<ClientContext>('exec-plugin.output', {
    fault: ['plugin-half-pair', 'plugin-failed'],
    async check(context) {
      const { world, certificate, server, expect } = context;
      const print = guarded(context);
      await works(context, plugged(context, [print]), 'by a token');
      const failing = plugged(context, [print], { env: [{ name: 'JUDGE_EXIT', value: '1' }] });
      await staysOut(context, failing.client, 'by a plugin that fails');
      const { certificate: clientCertificateData, key: clientKeyData } = await certificate('plugin');
      const both = plugged(context, [credential({ clientCertificateData, clientKeyData })]);
      await both.client.shows(world.copy(), 'what is there, by a certificate');
      expect(
        server.seen.some(({ certificate: name }) => name === 'plugin'),
        'the certificate was shown',
      ).toBe(true);
      await both.client.stop();
      const half = { token: 'from-the-plugin', clientCertificateData };
      const before = server.seen.length;
      const alone = plugged(context, [credential(half)]);
      await context.until('the client asks the plugin', alone.runs, (runs) => runs.length > 0);
      // A machine that is busy needs seconds for what comes between.
      const asked = () => server.seen.length;
      await context.until('a request', asked, (count) => count > before, 6_000).catch(() => undefined);
      expect(
        server.seen.slice(before).map(({ path }) => path),
        'requests with a certificate without its key',
      ).toEqual([]);
    },
  }),
  // What the plugin gave serves until a 401, the end of the process or the time that it named.
  documented<ClientContext>('exec-plugin.cache', {
    fault: ['plugin-every-time', 'plugin-once'],
    async check(context) {
      const { world, whim, endWatches, watching, expect } = context;
      let token = 'token-1';
      world.put('kept', { a: '1' });
      whim(wants(() => token));
      const plugin = plugged(context, [credential({ token }), credential({ token: 'token-2' })]);
      await plugin.client.shows(world.copy(), 'what is there');
      for (const nth of [1, 2, 3]) {
        await watching(nth);
        if (nth < 3) endWatches();
      }
      expect(plugin.runs().length, 'runs of the plugin before a 401').toBe(1);
      token = 'token-2';
      endWatches();
      world.put('meanwhile', { a: '1' });
      await plugin.client.shows(world.copy(), 'what changed, by a new token after a 401');
      expect(plugin.runs().length, 'runs of the plugin after a 401').toBe(2);
    },
  }),
  // A new certificate from the plugin means a new handshake.
  documented<ClientContext>('exec-plugin.new-certificate', {
    fault: 'plugin-first-certificate',
    async check(context) {
      const { world, certificate, server, endWatches, watching, until, pause } = context;
      world.put('kept', { a: '1' });
      const statusOf = async (name: string, more: object = {}): Promise<object> => {
        const { certificate: clientCertificateData, key: clientKeyData } = await certificate(name);
        return credential({ clientCertificateData, clientKeyData, ...more });
      };
      const first = await statusOf('first', { expirationTimestamp: soon(3_000) });
      const plugin = plugged(context, [first, await statusOf('second')]);
      await plugin.client.shows(world.copy(), 'what is there');
      await watching();
      await pause(3_500);
      endWatches();
      await until(
        'the new certificate is shown',
        () => server.seen.at(-1)?.certificate,
        (name) => name === 'second',
      );
    },
  }),
];
