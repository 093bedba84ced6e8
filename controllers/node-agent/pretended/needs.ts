import { namespaceOf } from '../../runtime/kube-object.ts';
import type { ConfigMap, Pod, Secret } from '../../runtime/resources.ts';

/** A ConfigMap or a Secret without which a pod does not begin. */
export interface Need {
  readonly kind: 'configmap' | 'secret';
  readonly name: string;
  /** Entries that it must have. */
  readonly keys: readonly string[];
  /** The volume or the container that shows it. */
  readonly by: { readonly volume: string } | { readonly container: string };
}

type Named = { readonly name?: string; readonly optional?: boolean };

function need(kind: Need['kind'], named: Named | undefined, by: Need['by'], keys: readonly string[] = []): Need[] {
  return named?.name && !named.optional ? [{ kind, name: named.name, keys, by }] : [];
}

/** Those of its volumes first, as they are made first. */
export function needsOf({ spec }: Pod): readonly Need[] {
  const volumes = (spec?.volumes ?? []).filter(({ name }) => !name.startsWith('kube-api-access-'));
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  return [...volumes.flatMap(needsOfVolume), ...all.flatMap(needsOfContainer)];
}

type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];

function needsOfVolume({ name: volume, configMap, secret, projected }: Volume): readonly Need[] {
  const { secretName, ...rest } = secret ?? {};
  const own = { configMap, ...(secretName && { secret: { ...rest, name: secretName } }) };
  return [own, ...(projected?.sources ?? [])].flatMap((source) => [
    ...need(
      'configmap',
      source.configMap,
      { volume },
      (source.configMap?.items ?? []).map(({ key }) => key),
    ),
    ...need(
      'secret',
      source.secret,
      { volume },
      (source.secret?.items ?? []).map(({ key }) => key),
    ),
  ]);
}

type Container = NonNullable<Pod['spec']>['containers'][number];

function needsOfContainer({ name: container, env = [], envFrom = [] }: Container): readonly Need[] {
  return [
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [
      ...need('configmap', configMapRef, { container }),
      ...need('secret', secretRef, { container }),
    ]),
    ...env.flatMap(({ valueFrom: { configMapKeyRef: map, secretKeyRef: secret } = {} }) => [
      ...need('configmap', map, { container }, map ? [map.key] : []),
      ...need('secret', secret, { container }, secret ? [secret.key] : []),
    ]),
  ];
}

/** What is wrong with the object that a pod needs, as people are told; undefined when nothing is. */
export function problemWith({ kind, name, keys }: Need, found: ConfigMap | Secret | undefined): string | undefined {
  if (!found) return `${kind} "${name}" not found`;
  const entries = { ...found.data, ...('binaryData' in found && found.binaryData) };
  const missing = keys.find((key) => !Object.hasOwn(entries, key));
  return missing === undefined ? undefined : `couldn't find key ${missing} in ${kind} ${namespaceOf(found)}/${name}`;
}
