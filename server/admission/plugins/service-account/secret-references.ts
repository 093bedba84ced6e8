import { type Fields, fieldsOf, textOf } from '../../../base/untyped.ts';
import type { Container, PodSpec, Volume } from '../../../kinds/core/pod/shape.ts';
import type { ServiceAccount } from '../../../kinds/core/service-account.ts';

/** Where the secret of a volume source is named, other than in `secret` and `projected`. */
const sourceSecrets: Readonly<Record<string, readonly string[]>> = {
  azureFile: ['secretName'],
  cephfs: ['secretRef', 'name'],
  cinder: ['secretRef', 'name'],
  csi: ['nodePublishSecretRef', 'name'],
  flexVolume: ['secretRef', 'name'],
  iscsi: ['secretRef', 'name'],
  rbd: ['secretRef', 'name'],
  scaleIO: ['secretRef', 'name'],
  storageos: ['secretRef', 'name'],
};

const sourcesOf = (volume: Volume, kind: string): readonly Fields[] =>
  kind === 'projected' && Array.isArray(fieldsOf(volume.projected).sources)
    ? (fieldsOf(volume.projected).sources as unknown[]).map(fieldsOf)
    : [];

function volumeReadsSecret(volume: Volume): boolean {
  if (textOf(fieldsOf(volume.secret).secretName)) return true;
  if (sourcesOf(volume, 'projected').some(({ secret }) => textOf(fieldsOf(secret).name))) return true;
  return Object.entries(sourceSecrets).some(([kind, path]) => {
    const found = path.reduce<unknown>((value, field) => fieldsOf(value)[field], volume[kind]);
    return textOf(found) !== '';
  });
}

const containersOf = ({
  initContainers = [],
  containers = [],
  ephemeralContainers = [],
}: PodSpec): readonly Container[] => [...initContainers, ...containers, ...ephemeralContainers];

const containerReadsSecret = ({ env = [], envFrom = [] }: Container) =>
  env.some(({ valueFrom }) => valueFrom?.secretKeyRef?.name) || envFrom.some(({ secretRef }) => secretRef?.name);

/** Whether anything in a pod names a secret. */
export const readsSecrets = (spec: PodSpec): boolean =>
  (spec.imagePullSecrets ?? []).some(({ name }) => name) ||
  containersOf(spec).some(containerReadsSecret) ||
  (spec.volumes ?? []).some(volumeReadsSecret);

/** Whether a pod mounts tokens of its account. */
export const usesAccountTokens = ({ volumes = [] }: PodSpec): boolean =>
  volumes.some((volume) => sourcesOf(volume, 'projected').some(({ serviceAccountToken }) => serviceAccountToken));

/** The first secret that a pod uses although its account does not list it, in the words of the refusal. */
export function foreignSecret(spec: PodSpec, account: ServiceAccount): string | undefined {
  const listed = new Set((account.secrets ?? []).map(({ name }) => name));
  const listedForPulls = new Set((account.imagePullSecrets ?? []).map(({ name }) => name));
  const why = `is not allowed because service account ${account.metadata.name ?? ''} does not reference that`;
  for (const { secret } of spec.volumes ?? []) {
    const name = textOf(fieldsOf(secret).secretName);
    if (secret && !listed.has(name)) return `volume with secret.secretName="${name}" ${why} secret`;
  }
  for (const part of ['initContainers', 'containers', 'ephemeralContainers'] as const)
    for (const container of spec[part] ?? []) {
      const use = foreignUse(container, listed);
      if (use) return `${words[part]} ${container.name ?? ''} with ${use} ${why} secret`;
    }
  const index = (spec.imagePullSecrets ?? []).findIndex(({ name }) => !listedForPulls.has(name));
  if (index < 0) return undefined;
  return `imagePullSecrets[${index}].name="${spec.imagePullSecrets?.[index]?.name ?? ''}" ${why} imagePullSecret`;
}

const words = {
  initContainers: 'init container',
  containers: 'container',
  ephemeralContainers: 'ephemeral container',
} as const;

function foreignUse(
  { env = [], envFrom = [] }: Container,
  listed: ReadonlySet<string | undefined>,
): string | undefined {
  for (const { name = '', valueFrom } of env) {
    const secret = valueFrom?.secretKeyRef;
    if (secret && !listed.has(secret.name))
      return `envVar ${name} referencing secret.secretName="${secret.name ?? ''}"`;
  }
  for (const { secretRef } of envFrom)
    if (secretRef && !listed.has(secretRef.name))
      return `envFrom referencing secret.secretName="${secretRef.name ?? ''}"`;
  return undefined;
}
