import { isHttpAddress } from '../../http-address.ts';
import { UsageError } from '../../mistyped.ts';
import type { Flag } from '../commands/flag-table.ts';
import { readFlagFile } from '../commands/flag-values.ts';
import { TargetError, targetFromKubeconfig } from './kubeconfig.ts';
import type { Target } from './target.ts';

/** The flags that, beside `--server`, say what a target is. */
export const targetFlags: readonly Flag[] = [
  { name: 'token', value: 'TOKEN', help: 'bearer token of an administrator' },
  { name: 'certificate-authority', value: 'FILE', help: "PEM file that vouches for the server's certificate" },
  { name: 'insecure-skip-tls-verify', help: "do not check the server's certificate" },
  { name: 'client-certificate', value: 'FILE', help: 'PEM client certificate of an administrator' },
  { name: 'client-key', value: 'FILE', help: 'PEM key of the client certificate' },
  { name: 'kubeconfig', value: 'FILE', help: 'take address and credentials from this file' },
  { name: 'context', value: 'NAME', help: 'context of the kubeconfig, instead of its current one' },
];

/** The target that flags name; undefined when they name none. @throws UsageError */
export function readTarget(text: (name: string) => string | undefined, insecure: boolean): Target | undefined {
  const kubeconfig = text('kubeconfig');
  const server = text('server');
  if (kubeconfig !== undefined) {
    if (server !== undefined) throw new UsageError('--server and --kubeconfig exclude each other');
    try {
      return { ...targetFromKubeconfig(kubeconfig, text('context')), ...(insecure ? { insecure } : {}) };
    } catch (error) {
      if (error instanceof TargetError) throw new UsageError(`--kubeconfig: ${error.message}`);
      throw error;
    }
  }
  if (server === undefined) {
    const stray = ['token', 'certificate-authority', 'client-certificate', 'client-key', 'lab', 'context'].find(
      (name) => text(name) !== undefined,
    );
    if (stray) throw new UsageError(`--${stray} needs ${stray === 'context' ? '--kubeconfig' : '--server'}`);
    return undefined;
  }
  return targetFromFlags(server, text, insecure);
}

function targetFromFlags(server: string, text: (name: string) => string | undefined, insecure: boolean): Target {
  const token = text('token');
  const certificateAuthority = pem('certificate-authority', text('certificate-authority'));
  const clientCertificate = pem('client-certificate', text('client-certificate'));
  const clientKey = pem('client-key', text('client-key'));
  if ((clientCertificate === undefined) !== (clientKey === undefined))
    throw new UsageError('--client-certificate and --client-key belong together');
  return {
    url: address(server),
    ...(token ? { token } : {}),
    ...(certificateAuthority ? { certificateAuthority } : {}),
    ...(clientCertificate && clientKey ? { clientCertificate, clientKey } : {}),
    ...(insecure ? { insecure } : {}),
  };
}

function address(server: string): string {
  if (!isHttpAddress(server))
    throw new UsageError(`--server: ${server} is no http or https address, such as https://127.0.0.1:6443`);
  const { origin, pathname } = new URL(server);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

const pem = (flag: string, file: string | undefined): string | undefined =>
  file === undefined ? undefined : readFlagFile(flag, file);
