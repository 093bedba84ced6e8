import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { configMapKey, dnsSubdomain } from '../../base/names.ts';
import { between, eachOf, oneOf, requiredText } from '../field-rules.ts';
import { validateFieldRef, validateResourceFieldRef, volumeFieldPaths, volumeResources } from './downward-fields.ts';
import { type ClaimSpec, validateClaimSpec } from './persistent-volume-claim.ts';
import type { FieldRef, ResourceFieldRef } from './pod-shape.ts';

/** Where a volume comes from; its fields are as decoded. */
export type Source = { readonly [field: string]: unknown };

type Check = (source: Source, at: FieldPath) => FieldError[];

const text = (source: Source, field: string) => source[field] as string | undefined;
const count = (source: Source, field: string) => source[field] as number | undefined;
const entries = (source: Source, field: string) => (source[field] as string[] | undefined) ?? [];

const needs =
  (...fields: string[]): Check =>
  (source, at) =>
    fields.flatMap((field) => requiredText(text(source, field), at.child(field)));

const all =
  (...checks: Check[]): Check =>
  (source, at) =>
    checks.flatMap((check) => check(source, at));

const filled =
  (field: string): Check =>
  (source, at) =>
    entries(source, field).length > 0 ? [] : [required(at.child(field))];

const within =
  (field: string, low: number, high: number): Check =>
  (source, at) =>
    between(count(source, field), low, high, at.child(field));

/** A path must not climb out of where it begins. */
export function withoutBacksteps(path: string, at: FieldPath): FieldError[] {
  return path.split('/').includes('..') ? [invalidValue(at, path, "must not contain '..'")] : [];
}

export const relativePath = (path: string, at: FieldPath): FieldError[] => [
  ...(path.startsWith('/') ? [invalidValue(at, path, 'must be a relative path')] : []),
  ...withoutBacksteps(path, at),
];

const fileMode = (mode: number | undefined, at: FieldPath): FieldError[] =>
  mode !== undefined && (mode < 0 || mode > 0o777)
    ? [invalidValue(at, mode, 'must be a number between 0 and 0777 (octal)')]
    : [];

interface KeyToPath {
  key?: string;
  path?: string;
  mode?: number;
}

const keysToPaths: Check = (source, at) =>
  eachOf(source.items as KeyToPath[] | undefined, at.child('items'), ({ key, path, mode }, here) => [
    ...requiredText(key, here.child('key')),
    ...(key ? configMapKey(key).map((problem) => invalidValue(here.child('key'), key, problem)) : []),
    ...(path ? relativePath(path, here.child('path')) : [required(here.child('path'))]),
    ...fileMode(mode, here.child('mode')),
  ]);

const downwardItems: Check = (source, at) =>
  eachOf(
    source.items as
      | { path?: string; mode?: number; fieldRef?: FieldRef; resourceFieldRef?: ResourceFieldRef }[]
      | undefined,
    at.child('items'),
    ({ path, mode, fieldRef, resourceFieldRef }, here) => [
      ...(path ? relativePath(path, here.child('path')) : [required(here.child('path'))]),
      ...(fieldRef ? validateFieldRef(fieldRef, volumeFieldPaths, here.child('fieldRef')) : []),
      ...(fieldRef && resourceFieldRef
        ? [invalidValue(here, 'resource', 'fieldRef and resourceFieldRef may not both be given')]
        : []),
      ...(!fieldRef && resourceFieldRef
        ? validateResourceFieldRef(resourceFieldRef, volumeResources, true, here.child('resourceFieldRef'))
        : []),
      ...(fieldRef || resourceFieldRef ? [] : [required(here, 'one of fieldRef and resourceFieldRef is needed')]),
      ...fileMode(mode, here.child('mode')),
    ],
  );

const defaultMode: Check = (source, at) => fileMode(count(source, 'defaultMode'), at.child('defaultMode'));

const projectionKinds = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'] as const;

const projected: Check = (source, at) => {
  const paths = new Map<string, FieldPath>();
  const errors = [...defaultMode(source, at)];
  eachOf((source.sources as Source[] | undefined) ?? [], at.child('sources'), (projection, here) => {
    const given = projectionKinds.filter((kind) => projection[kind]);
    if (given.length === 0) errors.push(required(here, 'must specify a projection'));
    given.forEach((kind, position) => {
      const spot = here.child(kind);
      if (position > 0) errors.push(forbiddenField(spot, 'may not specify more than 1 volume type'));
      else errors.push(...projectionChecks[kind](projection[kind] as Source, spot));
      errors.push(...repeatedPaths(kind, projection[kind] as Source, spot, paths));
    });
    return [];
  });
  return errors;
};

const projectionChecks: Record<(typeof projectionKinds)[number], Check> = {
  secret: all(needs('name'), keysToPaths),
  configMap: all(needs('name'), keysToPaths),
  downwardAPI: downwardItems,
  serviceAccountToken: (source, at) => {
    const seconds = count(source, 'expirationSeconds') ?? 600;
    const path = text(source, 'path');
    return [
      ...(seconds < 600 ? [invalidValue(at.child('expirationSeconds'), seconds, 'must be at least 600')] : []),
      ...(seconds > 2 ** 32 ? [invalidValue(at.child('expirationSeconds'), seconds, 'must be at most 2^32')] : []),
      ...(path ? relativePath(path, at.child('path')) : [required(at.child('path'))]),
    ];
  },
};

/** Two projections may not write the same file. */
function repeatedPaths(kind: string, source: Source, at: FieldPath, seen: Map<string, FieldPath>): FieldError[] {
  const written =
    kind === 'serviceAccountToken'
      ? [text(source, 'path')]
      : ((source.items as { path?: string }[] | undefined) ?? []).map(({ path }) => path);
  return written.flatMap((path) => {
    if (!path) return [];
    if (seen.has(path)) return [invalidValue(at, path, `conflicts with ${seen.get(path)}`)];
    seen.set(path, at);
    return [];
  });
}

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

const hostPath: Check = (source, at) => {
  const path = text(source, 'path');
  return [
    ...(path ? withoutBacksteps(path, at.child('path')) : [required(at.child('path'))]),
    ...oneOf(text(source, 'type'), hostPathTypes, at.child('type')),
  ];
};

const nfs: Check = (source, at) => [
  ...needs('server', 'path')(source, at),
  ...(text(source, 'path') && !text(source, 'path')?.startsWith('/')
    ? [invalidValue(at.child('path'), source.path, 'must be an absolute path')]
    : []),
];

const iscsiName = /^(iqn\.\d{4}-\d{2}\.[^\s:]+(:.*)?|eui\.[0-9a-fA-F]{16}|naa\.[0-9a-fA-F]{16,32})$/;

const iscsi: Check = (source, at) => {
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

const fibreChannel: Check = (source, at) => {
  const wide = entries(source, 'targetWWNs').length > 0;
  const ids = entries(source, 'wwids').length > 0;
  if (!wide && !ids) return [required(at.child('targetWWNs'), 'targetWWNs or wwids must be given, not both')];
  if (wide && ids) return [invalidValue(at.child('targetWWNs'), source.targetWWNs, 'and wwids may not both be given')];
  if (!wide) return [];
  return source.lun === undefined
    ? [required(at.child('lun'), 'is needed with targetWWNs')]
    : within('lun', 0, 255)(source, at);
};

const azureDisk: Check = (source, at) => {
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

const csi: Check = (source, at) => [
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
export const podVolumeSources: Readonly<Record<string, Check>> = {
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
export const persistentVolumeSources: Readonly<Record<string, Check>> = {
  hostPath,
  gcePersistentDisk: all(needs('pdName'), within('partition', 0, 255)),
  awsElasticBlockStore: all(needs('volumeID'), within('partition', 0, 255)),
  glusterfs: needs('endpoints', 'path'),
  flocker: podVolumeSources.flocker as Check,
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
export const sourcesOf = (holder: Source, known: Readonly<Record<string, Check>>): string[] =>
  Object.keys(known).filter(
    (kind) => Object.hasOwn(holder, kind) && holder[kind] !== undefined && holder[kind] !== null,
  );

/** One source must be named and only one. */
export function validateSource(holder: Source, known: Readonly<Record<string, Check>>, at: FieldPath): FieldError[] {
  const given = sourcesOf(holder, known);
  if (given.length === 0) return [required(at, 'must specify a volume type')];
  return given.flatMap((kind, position) =>
    position > 0
      ? [forbiddenField(at.child(kind), 'may not specify more than 1 volume type')]
      : (known[kind]?.(holder[kind] as Source, at.child(kind)) ?? []),
  );
}
