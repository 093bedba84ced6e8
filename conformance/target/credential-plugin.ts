import { spawn } from 'node:child_process';
import { isAbsolute, resolve } from 'node:path';
import type { Json } from '../verbs/json.ts';

/** What a credential plugin gives, or why it gives nothing. The message is one line for the user. */
export class PluginError extends Error {}

/** `user.exec` of a client configuration file with what belongs to it: plain data. */
export interface Plugin {
  /** As written in the file. */
  readonly exec: Json;
  /** For `spec.cluster` of what the plugin is told. */
  readonly cluster: Json;
  /** Of the file; relative commands start there. */
  readonly folder: string;
  /** What it has given already. */
  readonly held?: Credential;
}

/** A token, or a certificate with its key (PEM); until when it serves, in milliseconds since the epoch. */
export interface Credential {
  readonly token?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly expires?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** How a client that breaks a rule goes wrong. */
export interface PluginMeddling {
  readonly exec?: (exec: Json) => Json;
  readonly environment?: (environment: Environment) => Environment;
  readonly credential?: (credential: Credential) => Credential;
}

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const modes = ['Never', 'IfAvailable', 'Always'];
/** How long a plugin that nobody talks to may take, and how much it may say. */
const limit = 60_000;
const mostBytes = 1 << 20;

/** The documented name, and the one of the stock clients. */
const inputVariables = ['CLUSTER_EXEC_INFO', 'KUBERNETES_EXEC_INFO'];

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly interactive: boolean;
}

/** Whether the plugin may ask somebody. @throws PluginError when it must but cannot */
function mayAsk({ apiVersion, interactiveMode, command }: Json, somebody: boolean): boolean {
  const mode = interactiveMode ?? (apiVersion === versions[0] ? undefined : 'IfAvailable');
  if (mode === undefined) throw new PluginError(`user.exec.interactiveMode must be given for ${apiVersion}`);
  if (!modes.includes(mode)) throw new PluginError(`user.exec.interactiveMode is one of ${modes.join(', ')}`);
  if (mode === 'Always' && !somebody) throw new PluginError(`the credential plugin ${command} needs a terminal`);
  return mode !== 'Never' && somebody;
}

function startOf({ exec, cluster, folder }: Plugin, somebody: boolean): Start {
  const { command, apiVersion, args = [], env, provideClusterInfo } = exec;
  if (typeof command !== 'string' || command === '') throw new PluginError('user.exec.command must be given');
  if (!versions.includes(apiVersion)) throw new PluginError(`user.exec.apiVersion is one of ${versions.join(', ')}`);
  const interactive = mayAsk(exec, somebody);
  const spec = { interactive, ...(provideClusterInfo === true ? { cluster } : {}) };
  const input = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
  const given = (env ?? []).map(({ name, value }: Json) => [name, value]);
  const told = inputVariables.map((name) => [name, input]);
  return {
    // A bare name is looked for in PATH.
    command: command.includes('/') && !isAbsolute(command) ? resolve(folder, command) : command,
    args,
    environment: { ...process.env, ...Object.fromEntries(given), ...Object.fromEntries(told) },
    interactive,
  };
}

/** What the plugin prints. */
function outputOf({ command, args, environment, interactive }: Start, hint: unknown): Promise<string> {
  return new Promise((settle, reject) => {
    const child = spawn(command, args, {
      env: environment as NodeJS.ProcessEnv,
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    });
    // One of the spawn's own would be waited for where there is no such command.
    const late = interactive ? undefined : setTimeout(() => child.kill(), limit).unref();
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.length > mostBytes) child.kill('SIGKILL');
    });
    const fail = (why: string): void => reject(new PluginError(`the credential plugin ${command} ${why}`));
    child.on('error', (error) =>
      fail(`could not be started: ${error.message}${typeof hint === 'string' ? `\n${hint}` : ''}`),
    );
    child.on('close', (code) => {
      clearTimeout(late);
      if (code === 0) settle(said);
      else fail(`ended with code ${code}`);
    });
  });
}

function credentialOf(output: string, { apiVersion, command }: Json): Credential {
  const wrong = (why: string) => new PluginError(`the credential plugin ${command} ${why}`);
  let answer: Json;
  try {
    answer = JSON.parse(output);
  } catch {
    throw wrong('printed no JSON');
  }
  if (answer?.kind !== 'ExecCredential' || answer.apiVersion !== apiVersion)
    throw wrong(`printed no ExecCredential of ${apiVersion}`);
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = answer.status ?? {};
  if (Boolean(clientCertificateData) !== Boolean(clientKeyData)) throw wrong('gave a certificate or a key alone');
  if (!token && !clientCertificateData) throw wrong('gave neither token nor certificate');
  const expires = expirationTimestamp === undefined ? undefined : Date.parse(expirationTimestamp);
  if (Number.isNaN(expires)) throw wrong('gave an expirationTimestamp that is no time');
  return {
    ...(token ? { token } : {}),
    ...(clientCertificateData ? { clientCertificate: clientCertificateData, clientKey: clientKeyData } : {}),
    ...(expires === undefined ? {} : { expires }),
  };
}

const isOver = ({ expires }: Credential): boolean => expires !== undefined && expires <= Date.now();

/** The credentials of a plugin: kept until they expire or are refused, at most as long as the process lives. */
export class PluginCredentials {
  readonly #plugin: Plugin;
  readonly #somebody: boolean;
  readonly #meddling: PluginMeddling;
  #held: Promise<Credential> | undefined;

  /** @param somebody whether there is a terminal to ask at */
  constructor(plugin: Plugin, somebody: boolean, meddling: PluginMeddling = {}) {
    this.#plugin = plugin;
    this.#somebody = somebody;
    this.#meddling = meddling;
    if (plugin.held) this.#held = Promise.resolve(plugin.held);
  }

  /** Calls at the same time share one run. @throws PluginError */
  current(): Promise<Credential> {
    const held = this.#held?.then((credential) => (isOver(credential) ? this.#run() : credential)) ?? this.#run();
    this.#held = held;
    held.catch(() => this.#drop(held));
    return held;
  }

  /** The server refused this credential, which `current` gave. */
  async refuse(credential: Credential): Promise<void> {
    const held = this.#held;
    if (held && (await held) === credential) this.#drop(held);
  }

  #drop(held: Promise<Credential>): void {
    if (this.#held === held) this.#held = undefined;
  }

  async #run(): Promise<Credential> {
    const { exec: read, environment, credential: take } = this.#meddling;
    const exec = read ? read(this.#plugin.exec) : this.#plugin.exec;
    const start = startOf({ ...this.#plugin, exec }, this.#somebody);
    const changed = environment ? { ...start, environment: environment(start.environment) } : start;
    const credential = credentialOf(await outputOf(changed, exec.installHint), exec);
    return take ? take(credential) : credential;
  }
}

/** A target whose credentials come from a plugin, with what that gives; here somebody may be asked. */
export async function withCredential<T extends { readonly plugin?: Plugin }>(target: T): Promise<T> {
  const { plugin } = target;
  if (!plugin) return target;
  const held = await new PluginCredentials(plugin, process.stdin.isTTY === true).current();
  const { expires: _, ...credential } = held;
  return { ...target, ...credential, plugin: { ...plugin, held } };
}
