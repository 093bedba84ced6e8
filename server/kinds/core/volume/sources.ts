import { type FieldError, forbiddenField, invalidValue, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { dnsLabel } from '../../../base/names.ts';
import { oneOf } from '../../field-rules.ts';
import { signOf } from '../../quantity-text.ts';
import { azureDisk, fibreChannel, iscsi } from './block-devices.ts';
import { ephemeral } from './claim-template.ts';
import { csiInPod, csiInVolume } from './csi.ts';
import { defaultMode, downwardItems, keysToPaths, projected, relativePath, withoutBacksteps } from './files.ts';
import {
  all,
  filled,
  formed,
  needs,
  type Source,
  type SourceCheck,
  secretName,
  secretPlace,
  text,
  within,
} from './source-fields.ts';

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

/** The type only counts once there is a path. */
const hostPath: SourceCheck = (source, at) => {
  const path = text(source, 'path');
  if (!path) return [required(at.child('path'))];
  return [...withoutBacksteps(path, at.child('path')), ...oneOf(text(source, 'type'), hostPathTypes, at.child('type'))];
};

const nfs: SourceCheck = (source, at) => [
  ...needs('server', 'path')(source, at),
  ...(text(source, 'path')?.startsWith('/')
    ? []
    : [invalidValue(at.child('path'), text(source, 'path') ?? '', 'must be an absolute path')]),
];

const emptyDir: SourceCheck = (source, at) =>
  signOf(text(source, 'sizeLimit') ?? '0') < 0 ? [forbiddenField(at.child('sizeLimit'), 'must not be negative')] : [];

const gitRepo: SourceCheck = (source, at) => [
  ...needs('repository')(source, at),
  ...relativePath(text(source, 'directory') ?? '', at.child('directory')),
];

const flocker: SourceCheck = (source, at) => {
  const name = text(source, 'datasetName');
  const uuid = text(source, 'datasetUUID');
  return [
    ...(name || uuid ? [] : [required(at, 'one of datasetName and datasetUUID is needed')]),
    ...(name && uuid ? [invalidValue(at, 'resource', 'datasetName and datasetUUID may not both be given')] : []),
    ...(name?.includes('/') ? [invalidValue(at.child('datasetName'), name, "must not contain '/'")] : []),
  ];
};

const quobyteTenantBytes = 64;

/** The registry is a list of `host:port`. Of registry and tenant only the first fault is told. */
const quobyte: SourceCheck = (source, at) => [...quobyteServer(source, at), ...needs('volume')(source, at)];

function quobyteServer(source: Source, at: FieldPath): FieldError[] {
  const registry = text(source, 'registry');
  if (!registry) return [required(at.child('registry'))];
  if (Buffer.byteLength(text(source, 'tenant') ?? '') > quobyteTenantBytes)
    return [required(at.child('tenant'), `must be a UUID of at most ${quobyteTenantBytes} bytes`)];
  return registry.split(',').every((pair) => /^(?:\[[^\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair))
    ? []
    : [invalidValue(at.child('registry'), registry, 'must be pairs of host:port, separated by commas')];
}

/** What is before the first slash, in any case; the whole where there is none. */
const reservedOption = /^(?:[^/]*\.)?(?:kubernetes\.io|k8s\.io)(?:\/|$)/i;

const flexVolume: SourceCheck = (source, at) => [
  ...needs('driver')(source, at),
  ...Object.keys((source.options as object | undefined) ?? {})
    .filter((option) => reservedOption.test(option))
    .map((option) =>
      invalidValue(at.child('options').key(option), option, 'kubernetes.io and k8s.io namespaces are reserved'),
    ),
];

const glusterfs = needs('endpoints', 'path');
const storageOs = all(needs('volumeName'), formed('volumeName', dnsLabel), formed('volumeNamespace', dnsLabel));
const azureFile = needs('secretName', 'shareName');

const partitioned = (name: string) => all(needs(name), within('partition', 0, 255));

/** What each source needs in a pod. In the order in which a second source of one volume is refused. */
export const podVolumeSources: Readonly<Record<string, SourceCheck>> = {
  emptyDir,
  hostPath,
  gitRepo,
  gcePersistentDisk: partitioned('pdName'),
  awsElasticBlockStore: partitioned('volumeID'),
  secret: all(needs('secretName'), defaultMode, keysToPaths),
  nfs,
  iscsi,
  glusterfs,
  flocker,
  persistentVolumeClaim: needs('claimName'),
  rbd: all(filled('monitors'), needs('image')),
  cinder: all(needs('volumeID'), secretName('secretRef')),
  cephfs: filled('monitors'),
  quobyte,
  downwardAPI: all(defaultMode, downwardItems),
  fc: fibreChannel,
  flexVolume,
  configMap: all(needs('name'), defaultMode, keysToPaths),
  azureFile,
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk,
  storageos: all(storageOs, secretName('secretRef')),
  projected,
  scaleIO: needs('gateway', 'system', 'volumeName'),
  csi: csiInPod,
  ephemeral,
};

/** The secret's namespace, where one is named, must be one. */
const azureFileNamespace: SourceCheck = (source, at) =>
  text(source, 'secretNamespace') === '' ? [required(at.child('secretNamespace'))] : [];

const endpointsNamespace: SourceCheck = (source, at) => {
  const name = text(source, 'endpointsNamespace');
  return name === undefined
    ? []
    : dnsLabel(name).map((problem) => invalidValue(at.child('endpointsNamespace'), name, problem));
};

const local: SourceCheck = (source, at) => {
  const path = text(source, 'path');
  return path ? withoutBacksteps(path, at.child('path')) : [required(at.child('path'))];
};

/** As `podVolumeSources`, where a persistent volume names the source. */
export const persistentVolumeSources: Readonly<Record<string, SourceCheck>> = {
  hostPath,
  gcePersistentDisk: partitioned('pdName'),
  awsElasticBlockStore: partitioned('volumeID'),
  glusterfs: all(glusterfs, endpointsNamespace),
  flocker,
  nfs,
  rbd: all(filled('monitors'), needs('image')),
  quobyte,
  cephfs: filled('monitors'),
  iscsi: all(iscsi, secretName('secretRef')),
  cinder: all(needs('volumeID'), secretPlace('secretRef')),
  fc: fibreChannel,
  flexVolume,
  azureFile: all(azureFile, azureFileNamespace),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk,
  scaleIO: needs('gateway', 'system', 'volumeName'),
  local,
  storageos: all(storageOs, secretPlace('secretRef')),
  csi: csiInVolume,
};

/** Where faults of a source are told, if not at its own field. */
const faultField: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };

/** Where it is refused beside another, if not at its own field. */
const refusalField: Readonly<Record<string, string>> = { downwardAPI: 'downwarAPI', cephfs: 'cephFS' };

/** The sources that a volume names, in the order of `known`. */
export const sourcesOf = (holder: Source, known: Readonly<Record<string, SourceCheck>>): string[] =>
  Object.keys(known).filter(
    (kind) => Object.hasOwn(holder, kind) && holder[kind] !== undefined && holder[kind] !== null,
  );

/** One source must be named and only one; those `besideOthers` are checked, and not refused, wherever they stand. */
export function validateSource(
  holder: Source,
  known: Readonly<Record<string, SourceCheck>>,
  at: FieldPath,
  besideOthers: readonly string[] = [],
): FieldError[] {
  const given = sourcesOf(holder, known);
  if (given.length === 0) return [required(at, 'must specify a volume type')];
  return given.flatMap((kind, position) =>
    position > 0 && !besideOthers.includes(kind)
      ? [forbiddenField(at.child(refusalField[kind] ?? kind), 'may not specify more than 1 volume type')]
      : (known[kind]?.(holder[kind] as Source, at.child(faultField[kind] ?? kind)) ?? []),
  );
}
