import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What tests need of a server, wherever it runs. */
export interface Server {
  readonly url: string;
  readonly kubeconfig: string;
  readonly certificateAuthority: string;
  readonly adminToken: string;
  stop(): Promise<void>;
}

/** A server in a process of its own. @param options those of a server in process; each is a flag */
export async function startSeparateServer(options: object): Promise<Server> {
  const flags = Object.entries(options).map(([name, value]) => {
    const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `--${kebab}=${Array.isArray(value) ? value.join(',') : value}`;
  });
  const certDir = mkdtempSync(join(tmpdir(), 'touchstone-server-'));
  const command = join(import.meta.dirname, '../../touchstone.ts');
  const child = spawn(process.execPath, [command, 'serve', '--secure-port=0', `--cert-dir=${certDir}`, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kubeconfig = readFileSync(await kubeconfigOf(child), 'utf8');
  const { clusters, users } = JSON.parse(kubeconfig);
  return {
    url: clusters[0].cluster.server,
    kubeconfig,
    certificateAuthority: Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString(),
    adminToken: users[0].user.token,
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', () => resolve());
        child.kill();
      }),
  };
}

/** The file that a server says it has written. */
function kubeconfigOf({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      const [, file] = /^KUBECONFIG=(.+)\n/m.exec(text) ?? [];
      if (file) resolve(file);
    });
    stdout?.on('end', () => reject(new Error(`the server ended: ${text}`)));
  });
}
