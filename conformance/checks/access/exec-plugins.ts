import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PluginError } from '../../target/credential-plugin.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext, Verbs } from '../../verbs/context.ts';
import { temporaryFolder } from '../../verbs/temporary-folder.ts';
import { nameOf } from './callers.ts';

export const pluginApi = 'client.authentication.k8s.io';

/** What a plugin prints: an ExecCredential with this status. */
export const credential = (status: Json, version = 'v1'): Json => ({
  apiVersion: `${pluginApi}/${version}`,
  kind: 'ExecCredential',
  status,
});

interface PluginParts {
  /** What the plugin prints at its first run, its second and so on; the last again and again. */
  readonly prints: readonly Json[];
  /** Members of `user.exec`; undefined leaves one out. */
  readonly exec?: Json;
  /** For the plugin itself. */
  readonly args?: readonly string[];
  /** What the configuration file has for the plugin beside the cluster. */
  readonly extension?: Json;
}

/** One run of a plugin. */
interface PluginRun {
  readonly args: readonly string[];
  /** Variables by name. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface PluginUser {
  /** Whom the server takes the client for, or why the client sends nothing. */
  readonly name: () => Promise<string>;
  readonly caller: Verbs;
  readonly runs: () => readonly PluginRun[];
}

/** Counts its runs, keeps what it is told, and prints what lies there for it. */
const script = (folder: string): string => `#!/bin/sh
cd '${folder}' || exit 1
run=$(($(cat count 2>/dev/null || echo 0) + 1))
echo $run >count
env >environment-$run
printf '%s\\n' "$@" >args-$run
while [ ! -f print-$run ]; do run=$((run - 1)); done
cat print-$run
`;

/** A client whose configuration file names a plugin of the rule's own, `./plugin.sh` beside the file. */
export function pluginUser(context: RuleContext, { prints, exec = {}, args = [], extension }: PluginParts): PluginUser {
  const folder = temporaryFolder(context);
  const file = (name: string): string => join(folder, name);
  writeFileSync(file('plugin.sh'), script(folder), { mode: 0o700 });
  for (const [index, print] of prints.entries()) writeFileSync(file(`print-${index + 1}`), JSON.stringify(print));
  const usual = {
    apiVersion: `${pluginApi}/v1`,
    command: '/bin/sh',
    args: [file('plugin.sh'), ...args],
    interactiveMode: 'Never',
  };
  const extensions = extension === undefined ? {} : { extensions: [{ name: `${pluginApi}/exec`, extension }] };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'rule',
    contexts: [{ name: 'rule', context: { cluster: 'rule', user: 'rule' } }],
    clusters: [{ name: 'rule', cluster: { ...context.cluster, ...extensions } }],
    users: [{ name: 'rule', user: { exec: { ...usual, ...exec } } }],
  };
  writeFileSync(file('kubeconfig'), JSON.stringify(config));
  const caller = context.withKubeconfig(file('kubeconfig'));
  const count = (): number => (existsSync(file('count')) ? Number(readFileSync(file('count'), 'utf8')) : 0);
  return {
    caller,
    name: () => nameOrRefusal(caller),
    runs: () => Array.from({ length: count() }, (_, index) => runOf(file, index + 1)),
  };
}

async function nameOrRefusal(caller: Verbs): Promise<string> {
  try {
    return await nameOf(caller);
  } catch (error) {
    if (error instanceof PluginError) return `the client refuses: ${error.message}`;
    throw error;
  }
}

function runOf(file: (name: string) => string, run: number): PluginRun {
  const lines = (name: string): string[] =>
    readFileSync(file(`${name}-${run}`), 'utf8')
      .split('\n')
      .slice(0, -1);
  const pairs = lines('environment').map((line): [string, string] => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return { args: lines('args'), environment: Object.fromEntries(pairs) };
}

/** What a run was told of itself; undefined when nothing. */
export function inputOf(run: PluginRun | undefined): Json {
  const text = run?.environment['CLUSTER_EXEC_INFO'];
  return text ? JSON.parse(text) : undefined;
}
