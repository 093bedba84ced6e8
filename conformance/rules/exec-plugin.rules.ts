import { join } from 'node:path';
import { credential, inputOf, pluginApi, pluginUser } from '../checks/access/exec-plugins.ts';
import { serviceAccountToken } from '../checks/access/identity.ts';
import { defineRule } from '../rule.ts';
import type { Sabotage } from '../sabotage/sabotage.ts';
import { requestHeader } from '../sabotage/transforms.ts';
import type { Credential, PluginMeddling } from '../target/credential-plugin.ts';
import type { Json } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';

const refused = /^the client refuses: /;

const client = (name: string, meddling: () => PluginMeddling): Sabotage => ({
  name,
  begin: () => ({}),
  client: meddling,
});

/** A client that reads `user.exec` otherwise than it is written. */
const misreads = (name: string, exec: (exec: Json) => Json): Sabotage => client(name, () => ({ exec }));
const takes = (name: string, take: (given: Credential) => Credential): Sabotage =>
  client(name, () => ({ credential: take }));
/** The server takes no notice of what the client shows. */
const unseen = requestHeader('authorization', undefined, { path: /^\/api\/v1\/nodes$/ });

/** A status with the token of a new user, and that user's name. */
async function tokenStatus(context: RuleContext): Promise<{ status: Json; name: string }> {
  const { account, token } = await serviceAccountToken(context);
  const { namespace, name } = account.metadata;
  return { status: { token }, name: `system:serviceaccount:${namespace}:${name}` };
}

const certificateStatus = ({ lab }: RuleContext, user: 'alice' | 'dave'): Json => {
  const { certificate, key } = lab.certificate(user);
  return { clientCertificateData: certificate, clientKeyData: key };
};

/** Soon, though not before a slow machine has started the plugin and shown what it gave. */
const lifetime = 4_000;
const soon = (): string => new Date(Date.now() + lifetime).toISOString();

export default [
  // `user.exec.command` must be given; if relative, then to the client's configuration file.
  defineRule('exec-plugin.command', {
    sabotage: [
      misreads('starts relative commands in its own folder', (exec) => ({
        ...exec,
        ...(exec.command === './plugin.sh' ? { command: join(process.cwd(), exec.command) } : {}),
      })),
      unseen,
    ],
    async check(context) {
      const { status, name } = await tokenStatus(context);
      const prints = [credential(status)];
      const relative = pluginUser(context, { prints, exec: { command: './plugin.sh', args: undefined } });
      context.expect(await relative.name(), 'a path relative to the file').toBe(name);
      const none = pluginUser(context, { prints, exec: { command: undefined } });
      context.expect(await none.name(), 'without a command').toMatch(refused);
    },
  }),

  // `user.exec.apiVersion` must be given, `v1` or `v1beta1` of `client.authentication.k8s.io`.
  defineRule('exec-plugin.api-version', {
    sabotage: misreads('takes any version', (exec) => ({
      ...exec,
      apiVersion: exec.apiVersion?.endsWith('/v1beta1') ? exec.apiVersion : `${pluginApi}/v1`,
    })),
    async check(context) {
      const { status, name } = await tokenStatus(context);
      for (const version of ['v1', 'v1beta1']) {
        const user = pluginUser(context, {
          prints: [credential(status, version)],
          exec: { apiVersion: `${pluginApi}/${version}` },
        });
        context.expect(await user.name(), version).toBe(name);
      }
      for (const apiVersion of [undefined, `${pluginApi}/v7`, 'v1']) {
        const user = pluginUser(context, { prints: [credential(status)], exec: { apiVersion } });
        context.expect(await user.name(), String(apiVersion)).toMatch(refused);
      }
    },
  }),

  // `env`, `args`, `installHint` and `provideClusterInfo` may be given in `user.exec`.
  defineRule('exec-plugin.settings', {
    sabotage: [
      misreads('passes no arguments', (exec) => ({ ...exec, args: exec.args?.slice(0, 1) })),
      misreads('sets no variables', (exec) => ({ ...exec, env: undefined })),
      misreads('gives no hint', (exec) => ({ ...exec, installHint: undefined })),
    ],
    async check(context) {
      const { expect } = context;
      const { status, name } = await tokenStatus(context);
      const prints = [credential(status)];
      expect(await pluginUser(context, { prints }).name(), 'none of them').toBe(name);
      const user = pluginUser(context, {
        prints,
        args: ['one', 'and two'],
        exec: {
          env: [{ name: 'TOUCHSTONE_COLOUR', value: 'red' }],
          installHint: 'not needed',
          provideClusterInfo: false,
        },
      });
      expect(await user.name(), 'all of them').toBe(name);
      const [run] = user.runs();
      expect(run?.args).toEqual(['one', 'and two']);
      expect(run?.environment).toMatchObject({ TOUCHSTONE_COLOUR: 'red' });
      const missing = pluginUser(context, {
        prints,
        exec: { command: '/nowhere/no-such-plugin', installHint: 'ask the plumber' },
      });
      expect(await missing.name(), 'a plugin that is not there').toContain('ask the plumber');
    },
  }),

  // By `provideClusterInfo` the plugin is told of the cluster in `spec.cluster`.
  defineRule('exec-plugin.cluster-info', {
    sabotage: [
      misreads('never tells of the cluster', (exec) => ({ ...exec, provideClusterInfo: false })),
      misreads('always tells of the cluster', (exec) => ({ ...exec, provideClusterInfo: true })),
    ],
    async check(context) {
      const { cluster, expect } = context;
      const { status, name } = await tokenStatus(context);
      const extension = { realm: 'touchstone' };
      const told = async (provideClusterInfo: boolean): Promise<Json> => {
        const user = pluginUser(context, { prints: [credential(status)], exec: { provideClusterInfo }, extension });
        expect(await user.name()).toBe(name);
        return inputOf(user.runs()[0])?.spec?.cluster;
      };
      expect(await told(true)).toMatchObject({ ...cluster, config: extension });
      expect(await told(false), 'not asked for').toBeUndefined();
    },
  }),

  // `interactiveMode` must be given in `v1` and is `IfAvailable` by default in `v1beta1`.
  defineRule('exec-plugin.interactive-mode', {
    sabotage: misreads('needs no mode', (exec) => ({ ...exec, interactiveMode: exec.interactiveMode ?? 'Never' })),
    async check(context) {
      const { expect } = context;
      const { status, name } = await tokenStatus(context);
      for (const interactiveMode of ['Never', 'IfAvailable']) {
        const user = pluginUser(context, { prints: [credential(status)], exec: { interactiveMode } });
        expect(await user.name(), interactiveMode).toBe(name);
      }
      const without = (version: string) =>
        pluginUser(context, {
          prints: [credential(status, version)],
          exec: { apiVersion: `${pluginApi}/${version}`, interactiveMode: undefined },
        });
      expect(await without('v1beta1').name(), 'v1beta1 without it').toBe(name);
      const strict = without('v1');
      expect(await strict.name(), 'v1 without it').toMatch(refused);
      expect(strict.runs()).toEqual([]);
    },
  }),

  // `Always` without somebody at the keyboard is an error, and the plugin stays unused.
  defineRule('exec-plugin.interactive-mode.always', {
    sabotage: misreads('takes Always lightly', (exec) => ({
      ...exec,
      interactiveMode: exec.interactiveMode === 'Always' ? 'IfAvailable' : exec.interactiveMode,
    })),
    async check(context) {
      const { status, name } = await tokenStatus(context);
      const prints = [credential(status)];
      const user = pluginUser(context, { prints, exec: { interactiveMode: 'Always' } });
      context.expect(await user.name(), 'with nobody at the keyboard').toMatch(refused);
      context.expect(user.runs(), 'runs of the plugin').toEqual([]);
      const other = pluginUser(context, { prints });
      context.expect(await other.name(), 'the same plugin without the mode').toBe(name);
    },
  }),

  // The plugin finds an ExecCredential in the variable `CLUSTER_EXEC_INFO`, which says whether it may ask.
  defineRule('exec-plugin.input', {
    sabotage: [
      client('tells the plugin nothing', () => ({
        environment: ({ CLUSTER_EXEC_INFO: _, ...environment }) => environment,
      })),
      client('does not say whether it may ask', () => ({
        environment: (environment) => ({ ...environment, CLUSTER_EXEC_INFO: '{"kind":"ExecCredential","spec":{}}' }),
      })),
    ],
    async check(context) {
      const { expect } = context;
      const { status, name } = await tokenStatus(context);
      for (const version of ['v1', 'v1beta1']) {
        const apiVersion = `${pluginApi}/${version}`;
        const user = pluginUser(context, { prints: [credential(status, version)], exec: { apiVersion } });
        expect(await user.name()).toBe(name);
        expect(inputOf(user.runs()[0])).toMatchObject({
          apiVersion,
          kind: 'ExecCredential',
          spec: { interactive: false },
        });
      }
    },
  }),

  // The plugin prints an ExecCredential with a token or with certificate and key.
  defineRule('exec-plugin.output', {
    needs: ['lab'],
    sabotage: [
      takes('shows no token', ({ token, ...given }) => (token ? { ...given, token: 'another' } : given)),
      takes('shows no certificate', ({ clientCertificate: _, clientKey: __, ...given }) => given),
    ],
    async check(context) {
      const { expect } = context;
      const { status, name } = await tokenStatus(context);
      expect(await pluginUser(context, { prints: [credential(status)] }).name(), 'a token').toBe(name);
      const pair = certificateStatus(context, 'alice');
      expect(await pluginUser(context, { prints: [credential(pair)] }).name(), 'a certificate').toBe('alice');
      const { clientCertificateData, clientKeyData } = pair;
      const useless = {
        'a certificate alone': { clientCertificateData },
        'a key alone': { clientKeyData },
        nothing: {},
      };
      for (const [what, wrong] of Object.entries(useless)) {
        expect(await pluginUser(context, { prints: [credential(wrong)] }).name(), what).toMatch(refused);
      }
      const other = { ...credential(status), kind: 'Credential' };
      expect(await pluginUser(context, { prints: [other] }).name(), 'another kind').toMatch(refused);
    },
  }),

  // What the plugin gave serves until a 401, the end of the process or the time that it named.
  defineRule('exec-plugin.cache', {
    sabotage: [
      takes('keeps nothing', (given) => ({ ...given, expires: 0 })),
      takes('keeps all for good', ({ expires: _, ...given }) => given),
    ],
    async check(context) {
      const { waitUntil, patience, expect } = context;
      const limit = lifetime + patience;
      const [one, other] = [await tokenStatus(context), await tokenStatus(context)];
      const lasting = pluginUser(context, { prints: [credential(one.status)] });
      for (const nth of ['first', 'second', 'third']) expect(await lasting.name(), nth).toBe(one.name);
      expect(lasting.runs(), 'runs for three requests').toHaveLength(1);

      const wrong = pluginUser(context, { prints: [credential({ token: 'wrong' }), credential(other.status)] });
      expect(await wrong.name(), 'after a 401').toBe(other.name);
      expect(wrong.runs()).toHaveLength(2);

      const brief = { ...one.status, expirationTimestamp: soon() };
      const passing = pluginUser(context, { prints: [credential(brief), credential(other.status)] });
      expect(await passing.name(), 'before the time it named').toBe(one.name);
      await waitUntil('the plugin is asked again', passing.name, (name) => name === other.name, { limit });
    },
  }),

  // A new certificate from the plugin means a new handshake.
  defineRule('exec-plugin.new-certificate', {
    needs: ['lab'],
    sabotage: client('keeps its first connection', () => {
      let first: Credential | undefined;
      return {
        credential: (given) => {
          first ??= given;
          return { ...first, expires: 0 };
        },
      };
    }),
    async check(context) {
      const first = { ...certificateStatus(context, 'alice'), expirationTimestamp: soon() };
      const user = pluginUser(context, {
        prints: [credential(first), credential(certificateStatus(context, 'dave'))],
      });
      context.expect(await user.name(), 'the first certificate').toBe('alice');
      await context.waitUntil('the new certificate is shown', user.name, (name) => name === 'dave', {
        limit: lifetime + context.patience,
      });
    },
  }),
];
