import { readFileSync } from 'node:fs';
import type { AgentAccess } from '../request/forward/backends.ts';
import { type KeyPair, makeSelfSigned } from '../x509/self-signed.ts';
import type { KeyOptions } from './options.ts';

/** What this server and the nodes beside it know each other by. */
export interface NodeKeys {
  readonly client: KeyPair;
  readonly serving: KeyPair;
}

const day = 86_400_000;
const lifetime = 10 * 365 * day;

/** Keys for as long as the process, for nodes that run beside this server; none where the user named keys for others. */
export function nodeKeys({ controllers, kubeletClientCertificate }: KeyOptions, now: number): NodeKeys | undefined {
  if (controllers.length === 0 || kubeletClientCertificate) return undefined;
  const make = (...hosts: readonly string[]) => makeSelfSigned(hosts, new Date(now - day), new Date(now + lifetime));
  return { client: make('kube-apiserver-kubelet-client'), serving: make('localhost', '127.0.0.1') };
}

/** @throws Error when a file cannot be read */
export function agentAccess(options: KeyOptions, keys: NodeKeys | undefined): AgentAccess {
  const { kubeletClientCertificate, kubeletClientKey, kubeletCertificateAuthority } = options;
  const addressTypes = options.kubeletPreferredAddressTypes;
  if (keys) return { ...keys.client, authority: keys.serving.certificate, addressTypes };
  return {
    addressTypes,
    ...(kubeletClientCertificate && { certificate: readFileSync(kubeletClientCertificate, 'utf8') }),
    ...(kubeletClientKey && { key: readFileSync(kubeletClientKey, 'utf8') }),
    ...(kubeletCertificateAuthority && { authority: readFileSync(kubeletCertificateAuthority, 'utf8') }),
  };
}
