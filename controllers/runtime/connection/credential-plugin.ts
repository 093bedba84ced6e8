import { execFile } from 'node:child_process';
import type { Clock } from '../clock.ts';

/** `user.exec` of a client configuration; a command that is a relative path is resolved already. */
export interface PluginConfig {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

/** The cluster as a plugin is told of it. */
export interface PluginCluster {
  readonly server: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly config?: unknown;
}

/** What a plugin gives; PEM. */
export interface PluginCredential {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Milliseconds since the epoch; until then it is good, unless the server refuses it. */
  readonly expires?: number;
}

interface Parts {
  readonly exec: PluginConfig;
  readonly cluster: PluginCluster;
  readonly clock: Clock;
}

export const pluginGroup = 'client.authentication.k8s.io';
const versions: readonly unknown[] = [`${pluginGroup}/v1`, `${pluginGroup}/v1beta1`];
/** Milliseconds that a plugin may take: somebody may have to be asked elsewhere. */
const patience = 60_000;

/** Asks a credential plugin, and again when what it gave has expired or was refused. */
export class CredentialPlugin {
  readonly #parts: Parts;
  #given: Promise<PluginCredential> | undefined;

  /** @throws Error when the configuration is of no use, or wants somebody at a keyboard */
  constructor(parts: Parts) {
    const { apiVersion, command, interactiveMode } = parts.exec;
    if (!command) throw new Error('user.exec has no command');
    if (!versions.includes(apiVersion)) throw new Error(`user.exec.apiVersion is none of ${versions.join(', ')}`);
    const mode = interactiveMode ?? (apiVersion?.endsWith('/v1beta1') ? 'IfAvailable' : undefined);
    if (!mode || !['Never', 'IfAvailable', 'Always'].includes(mode))
      throw new Error('user.exec has no interactiveMode');
    if (mode === 'Always') throw new Error('the credential plugin wants somebody at a keyboard, and nobody is');
    this.#parts = parts;
  }

  /** The credential of now. @throws Error when the plugin fails */
  async credential(): Promise<PluginCredential> {
    this.#given ??= this.#ask();
    try {
      const given = await this.#given;
      if (given.expires === undefined || given.expires > this.#parts.clock.now()) return given;
    } catch (error) {
      this.#given = undefined;
      throw error;
    }
    this.#given = this.#ask();
    return this.#given;
  }

  /** The server did not take it. */
  refused(): void {
    this.#given = undefined;
  }

  async #ask(): Promise<PluginCredential> {
    const { exec, cluster } = this.#parts;
    const { apiVersion = '', command = '', args, env, installHint = '', provideClusterInfo } = exec;
    const spec = { interactive: false, ...(provideClusterInfo && { cluster }) };
    const information = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
    const variables = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
    const environment = { ...process.env, ...variables, KUBERNETES_EXEC_INFO: information };
    const printed = await run(command, args ?? [], environment).catch((error: Error) => {
      throw new Error(`the credential plugin failed: ${error.message} ${installHint}`.trim());
    });
    return credentialOf(printed, apiVersion);
  }
}

const run = (path: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile(path, [...args], { env, timeout: patience, maxBuffer: 1 << 20 }, (error, out) =>
      error ? reject(new Error(String(error.code ?? error.signal ?? 'it did not start'))) : resolve(out),
    );
    child.stdin?.end();
  });

interface Printed {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

/** Reads what a plugin printed, of which nothing is told: it is secret. @throws Error when it is no credential */
export function credentialOf(text: string, apiVersion: string): PluginCredential {
  const { kind, apiVersion: version, status = {} } = parsed(text);
  if (kind !== 'ExecCredential' || version !== apiVersion)
    throw new Error(`the credential plugin printed no ExecCredential of ${apiVersion}`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
  if (!cert !== !key) throw new Error('the credential plugin gave a certificate or a key alone');
  if (!token && !cert) throw new Error('the credential plugin gave neither token nor certificate');
  const expires = expirationTimestamp === undefined ? Number.NaN : Date.parse(expirationTimestamp);
  return { ...(token && { token }), ...(cert && key && { cert, key }), ...(!Number.isNaN(expires) && { expires }) };
}

function parsed(text: string): Printed {
  try {
    return (JSON.parse(text) ?? {}) as Printed;
  } catch {
    throw new Error('the credential plugin printed no JSON');
  }
}
