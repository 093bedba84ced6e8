import { keyFor, namespaceOf } from '../runtime/kube-object.ts';
import type { Ingress } from '../runtime/resources.ts';
import { afterFirstLabel, inOrder } from './plan.ts';

/** Keys of the Secrets with certificates, by host, `*.` in front for a wildcard, empty for every host that nobody names. */
export type CertificateNames = ReadonlyMap<string, string>;

/** Which Secret stands for which host. Where several claim a host, the oldest Ingress has it. */
export function planCertificates(ingresses: readonly Ingress[]): CertificateNames {
  const names = new Map<string, string>();
  for (const ingress of inOrder(ingresses)) {
    for (const { hosts, secretName } of ingress.spec?.tls ?? []) {
      if (!secretName) continue;
      for (const host of hosts?.length ? hosts : ['']) {
        const name = host.toLowerCase();
        if (!names.has(name)) names.set(name, keyFor(namespaceOf(ingress), secretName));
      }
    }
  }
  return names;
}

/** The Secret for a connection to this host. */
export const certificateOf = (names: CertificateNames, host: string): string | undefined =>
  names.get(host) ?? names.get(`*.${afterFirstLabel(host)}`) ?? names.get('');
