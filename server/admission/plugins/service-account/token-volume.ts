import type { Ids } from '../../../base/ids.ts';
import type { Container, PodSpec, Volume } from '../../../kinds/core/pod/shape.ts';

/** Where programs look for the token of their pod. */
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const volumePrefix = 'kube-api-access-';
const suffixLength = 5;
/** An hour and a little: a node renews the token before the hour is over. */
const expirationSeconds = 3607;
/** 0644. */
const fileMode = 420;

const mountsThere = ({ volumeMounts = [] }: Container) => volumeMounts.some((mount) => mount.mountPath === mountPath);

/** Mounts a token in every container that mounts nothing at its place; the volume is added only if it is needed. In place. */
export function mountToken(spec: PodSpec, ids: Ids): void {
  const { volumes = [], initContainers = [], containers = [] } = spec;
  const existing = volumes.find(({ name }) => name?.startsWith(volumePrefix));
  const needing = [...initContainers, ...containers].filter((container) => !mountsThere(container));
  if (needing.length === 0) return;
  const name = existing?.name ?? freshName(volumes, ids);
  for (const container of needing) {
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
  }
  if (!existing) spec.volumes = [...volumes, tokenVolume(name)];
}

function freshName(volumes: readonly Volume[], ids: Ids): string {
  for (;;) {
    const name = volumePrefix + ids.suffix(suffixLength);
    if (!volumes.some((volume) => volume.name === name)) return name;
  }
}

/** The token, the certificate to verify the server with, and the namespace. */
const tokenVolume = (name: string): Volume => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: fileMode,
  },
});
