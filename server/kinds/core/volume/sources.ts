import { type FieldError, forbiddenField, invalidValue, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { dnsSubdomain } from '../../../base/names.ts';
import { oneOf, requiredText } from '../../field-rules.ts';
import { type ClaimSpec, validateClaimSpec } from '../persistent-volume-claim.ts';
import { defaultMode, downwardItems, keysToPaths, projected, relativePath, withoutBacksteps } from './files.ts';
import { all, entries, filled, needs, type Source, type SourceCheck, text, within } from './source-fields.ts';

const hostPathTypes = [
  '',
  'DirectoryOrCreate',
  'Directory',
  'FileOrCreate',
  'File',
  'Socket',
  'CharDevice',
  'BlockDevice',
] as const;

const hostPath: SourceCheck = (source, at) => {
  const path = text(source, 'path');
  return [
    ...(path ? withoutBacksteps(path, at.child('path')) : [required(at.child('path'))]),
    ...oneOf(text(source, 'type'), hostPathTypes, at.child('type')),
  ];
};

const nfs: SourceCheck = (source, at) => [
  ...needs('server', 'path')(source, at),
  ...(text(source, 'path') && !text(source, 'path')?.startsWith('/')
    ? [invalidValue(at.child('path'), source.path, 'must be an absolute path')]
    : []),
];

const iscsiName = /^(iqn\.\d{4}-\d{2}\.[^\s:]+(:.*)?|eui\.[0-9a-fA-F]{16}|naa\.[0-9a-fA-F]{16,32})$/;

const iscsi: SourceCheck = (source, at) => {
  const name = text(source, 'iqn');
  return [
    ...needs('targetPortal', 'iqn')(source, at),
    ...(name && !iscsiName.test(name) ? [invalidValue(at.child('iqn'), name, 'must be an iSCSI qualified name')] : []),
    ...within('lun', 0, 255)(source, at),
    ...(source.chapAuthDiscovery || source.chapAuthSession
      ? source.secretRef
        ? []
        : [required(at.child('secretRef'))]
      : []),
  ];
};

const fibreChannel: SourceCheck = (source, at) => {
  const wide = entries(source, 'targetWWNs').length > 0;
  const ids = entries(source, 'wwids').length > 0;
  if (!wide && !ids) return [required(at.child('targetWWNs'), 'targetWWNs or wwids must be given, not both')];
  if (wide && ids) return [invalidValue(at.child('targetWWNs'), source.targetWWNs, 'and wwids may not both be given')];
  if (!wide) return [];
  return source.lun === undefined
    ? [required(at.child('lun'), 'is needed with targetWWNs')]
    : within('lun', 0, 255)(source, at);
};

const azureDisk: SourceCheck = (source, at) => {
  const uri = text(source, 'diskURI') ?? '';
  const managed = source.kind === 'Managed';
  return [
    ...needs('diskName', 'diskURI')(source, at),
    ...oneOf(text(source, 'cachingMode'), ['None', 'ReadOnly', 'ReadWrite'], at.child('cachingMode')),
    ...oneOf(text(source, 'kind'), ['Dedicated', 'Managed', 'Shared'], at.child('kind')),
    ...(uri && managed && !uri.startsWith('/subscriptions/')
      ? [invalidValue(at.child('diskURI'), uri, 'must begin with /subscriptions/')]
      : []),
    ...(uri && !managed && !uri.startsWith('https://')
      ? [invalidValue(at.child('diskURI'), uri, 'must begin with https://')]
      : []),
  ];
};

const csi: SourceCheck = (source, at) => [
  ...csiDriverName(text(source, 'driver'), at.child('driver')),
  ...namedSecret(source, 'nodePublishSecretRef', at),
];

const namedSecret = (source: Source, field: string, at: FieldPath): FieldError[] => {
  const ref = source[field] as { name?: string } | undefined;
  return ref ? requiredText(ref.name, at.child(field).child('name')) : [];
};

/** A CSI driver: at most 63 bytes, a DNS subdomain whatever the case. */
export function csiDriverName(driver: string | undefined, at: FieldPath): FieldError[] {
  if (!driver) return [required(at)];
  return [
    ...(driver.length > 63 ? [invalidValue(at, driver, 'must be at most 63 characters')] : []),
    ...dnsSubdomain(driver.toLowerCase()).map((problem) => invalidValue(at, driver, problem)),
  ];
}

/** What each source needs in a pod. In the order in which a second source of one volume is refused. */
export const podVolumeSources: Readonly<Record<string, SourceCheck>> = {
  emptyDir: () => [],
  hostPath,
  gitRepo: (source, at) => [
    ...needs('repository')(source, at),
    ...(text(source, 'directory') ? relativePath(text(source, 'directory') ?? '', at.child('directory')) : []),
  ],
  gcePersistentDisk: all(needs('pdName'), within('partition', 0, 255)),
  awsElasticBlockStore: all(needs('volumeID'), within('partition', 0, 255)),
  secret: all(needs('secretName'), defaultMode, keysToPaths),
  nfs,
  iscsi,
  glusterfs: needs('endpoints', 'path'),
  flocker: (source, at) =>
    text(source, 'datasetName') || text(source, 'datasetUUID')
      ? []
      : [required(at, 'one of datasetName and datasetUUID is needed')],
  persistentVolumeClaim: needs('claimName'),
  rbd: all(filled('monitors'), needs('image')),
  cinder: needs('volumeID'),
  cephfs: filled('monitors'),
  quobyte: needs('registry', 'volume'),
  downwardAPI: all(defaultMode, downwardItems),
  fc: fibreChannel,
  configMap: all(needs('name'), defaultMode, keysToPaths),
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk,
  storageos: (source, at) => [...needs('volumeName')(source, at), ...namedSecret(source, 'secretRef', at)],
  projected,
  scaleIO: needs('gateway', 'system', 'volumeName'),
  csi,
  ephemeral: (source, at) => {
    const template = source.volumeClaimTemplate as { spec?: ClaimSpec } | undefined;
    const here = at.child('volumeClaimTemplate');
    return template ? validateClaimSpec(template.spec ?? {}, here.child('spec')) : [required(here)];
  },
};

/** What differs where a persistent volume names the source. */
export const persistentVolumeSources: Readonly<Record<string, SourceCheck>> = {
  hostPath,
  gcePersistentDisk: all(needs('pdName'), within('partition', 0, 255)),
  awsElasticBlockStore: all(needs('volumeID'), within('partition', 0, 255)),
  glusterfs: needs('endpoints', 'path'),
  flocker: podVolumeSources.flocker as SourceCheck,
  nfs,
  rbd: all(filled('monitors'), needs('image')),
  quobyte: needs('registry', 'volume'),
  cephfs: filled('monitors'),
  iscsi,
  cinder: needs('volumeID'),
  fc: fibreChannel,
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk,
  scaleIO: needs('gateway', 'system', 'volumeName'),
  local: (source, at) => {
    const path = text(source, 'path');
    return path ? withoutBacksteps(path, at.child('path')) : [required(at.child('path'))];
  },
  storageos: needs('volumeName'),
  csi: (source, at) => [
    ...csiDriverName(text(source, 'driver'), at.child('driver')),
    ...needs('volumeHandle')(source, at),
  ],
};

/** The sources that a volume names, in the order of `known`. */
export const sourcesOf = (holder: Source, known: Readonly<Record<string, SourceCheck>>): string[] =>
  Object.keys(known).filter(
    (kind) => Object.hasOwn(holder, kind) && holder[kind] !== undefined && holder[kind] !== null,
  );

/** One source must be named and only one. */
export function validateSource(
  holder: Source,
  known: Readonly<Record<string, SourceCheck>>,
  at: FieldPath,
): FieldError[] {
  const given = sourcesOf(holder, known);
  if (given.length === 0) return [required(at, 'must specify a volume type')];
  return given.flatMap((kind, position) =>
    position > 0
      ? [forbiddenField(at.child(kind), 'may not specify more than 1 volume type')]
      : (known[kind]?.(holder[kind] as Source, at.child(kind)) ?? []),
  );
}
