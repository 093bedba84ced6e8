import { readFileSync } from 'node:fs';
import type { ControllerOptions } from '../options.ts';
import { isAlreadyExists, isNamespaceTerminating, isNotFound } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Request } from '../runtime/controller.ts';
import { isDeleting, keyFor, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { configMaps, namespaces } from '../runtime/resources.ts';

const name = 'kube-root-ca.crt';
const description = 'Contains a CA bundle that can be used to verify the API server from inside the namespace.';

/** Puts the certificate that pods verify the API server with into every namespace, and keeps it as it should be. */
async function publish({ key: namespace, read, write }: Request, certificate: string): Promise<undefined> {
  const found = read(namespaces).find(namespace);
  if (!found || isDeleting(found)) return undefined;
  const data = { 'ca.crt': certificate };
  const map = read(configMaps).find(keyFor(namespace, name));
  try {
    if (!map) {
      const metadata = { namespace, name, annotations: { 'kubernetes.io/description': description } };
      await write(configMaps).create({ metadata, data });
    } else if (map.data?.['ca.crt'] !== certificate || Object.keys(map.data).length !== 1) {
      await write(configMaps).replace(map, { ...map, data });
    }
  } catch (error) {
    if (!isAlreadyExists(error) && !isNamespaceTerminating(error) && !isNotFound(error)) throw error;
  }
  return undefined;
}

/** @param trusted what the kubeconfig verifies the server with; no loop when there is nothing to publish */
export function rootCaLoops({ rootCaFile }: ControllerOptions, trusted: string | undefined): readonly Loop[] {
  const certificate = rootCaFile ? readFileSync(rootCaFile, 'utf8') : trusted;
  if (!certificate) return [];
  return [
    {
      name: 'root-ca-cert-publisher',
      watches: [itself(namespaces), bringing(configMaps, (map) => (nameOf(map) === name ? [namespaceOf(map)] : []))],
      concurrency: 4,
      reconcile: (request) => publish(request, certificate),
    },
  ];
}
