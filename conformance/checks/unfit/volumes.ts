import type { Json } from '../../verbs/json.ts';
import { type Parts, spec } from './judged-kind.ts';

/** Each source of a volume of a pod with just what it has to say. */
export const sources: Parts = {
  awsElasticBlockStore: { volumeID: 'a' },
  azureDisk: { diskName: 'a', diskURI: 'https://a.example/b' },
  azureFile: { secretName: 'a', shareName: 'b' },
  cephfs: { monitors: ['a:1'] },
  cinder: { volumeID: 'a' },
  configMap: { name: 'a' },
  csi: { driver: 'a.example.com' },
  flexVolume: { driver: 'example.com/a' },
  gcePersistentDisk: { pdName: 'a' },
  gitRepo: { repository: 'https://a.example/b' },
  glusterfs: { endpoints: 'a', path: 'b' },
  hostPath: { path: '/a' },
  iscsi: { targetPortal: 'a:1', iqn: 'iqn.2024-05.com.example:a' },
  nfs: { server: 'a', path: '/b' },
  persistentVolumeClaim: { claimName: 'a' },
  photonPersistentDisk: { pdID: 'a' },
  portworxVolume: { volumeID: 'a' },
  quobyte: { registry: 'a:1', volume: 'b' },
  rbd: { monitors: ['a:1'], image: 'b' },
  secret: { secretName: 'a' },
  vsphereVolume: { volumePath: 'a' },
};

const volumes = (...all: readonly Json[]): Json =>
  spec({ volumes: all.map((one, at) => ({ name: `v${at}`, ...one })) });

/** A source that says this, too. */
const more = (source: string, parts: Json): Json => volumes({ [source]: { ...sources[source], ...parts } });

/** Without each of the fields that it has to have. */
const incomplete = Object.entries(sources).flatMap(([source, fields]) =>
  Object.keys(fields as object).map((field) => [
    `${source} without its ${field}`,
    more(source, { [field]: undefined }),
  ]),
);

const items = (...all: readonly Json[]): Json => ({ items: all });
const projected = (...all: readonly Json[]): Json => volumes({ projected: { sources: all } });
const downward = (item: Json): Json => volumes({ downwardAPI: items({ path: 'a', ...item }) });
const fieldRef = { fieldPath: 'metadata.name' };
const resourceFieldRef = { containerName: 'c0', resource: 'limits.cpu' };
const token = (parts: Json): Json => ({ serviceAccountToken: { path: 'a', ...parts } });
const template = (claim: Json): Json => volumes({ ephemeral: { volumeClaimTemplate: { spec: claim } } });
/** Of a pod by its name, from which that of the claim that its first volume makes comes. */
const made = (name: string, volume: string, persistentVolumeClaim: Json): Json => ({
  metadata: { name },
  spec: {
    volumes: [
      { name: volume, ephemeral: { volumeClaimTemplate: { spec: claim } } },
      { name: 'other', persistentVolumeClaim },
    ],
  },
});
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

/** Files of a ConfigMap or a Secret. */
const ofFiles = ['configMap', 'secret'].flatMap((source): (readonly [string, Json])[] => [
  [`a file of a ${source} without its key`, more(source, items({ path: 'a' }))],
  [`a file of a ${source} without its path`, more(source, items({ key: 'a' }))],
  [`a file of a ${source} above it`, more(source, items({ key: 'a', path: '../a' }))],
  [`a file of a ${source} anywhere`, more(source, items({ key: 'a', path: '/a' }))],
  [`files of a ${source} with more than all rights`, more(source, { defaultMode: 0o1000 })],
]);

export const unfitVolumes: Parts = {
  ...Object.fromEntries([...incomplete, ...ofFiles]),
  'a volume of two': volumes({ configMap: { name: 'a' }, secret: { secretName: 'a' } }),
  'two volumes of one name': volumes(...['a', 'b', 'a'].map((name) => ({ name, emptyDir: {} }))),
  'a bad name of a volume': volumes({ name: 'Not_A_Name', emptyDir: {} }),
  'less than no room': volumes({ emptyDir: { sizeLimit: '-1' } }),
  'a disk at no address': more('azureDisk', { diskURI: 'nowhere' }),
  'a managed disk elsewhere': more('azureDisk', { kind: 'Managed' }),
  'a driver whose secret has no name': more('csi', { nodePublishSecretRef: {} }),
  'a driver that is no name': more('csi', { driver: 'Not_A_Name' }),
  'a path of the host that leads elsewhere': more('hostPath', { path: '/a/../b' }),
  'a path of another host that is relative': more('nfs', { path: 'b' }),
  'a directory above': more('gitRepo', { directory: '../a' }),
  'a target that is no name': more('iscsi', { iqn: 'nothing' }),
  'a target that asks for no secret': more('iscsi', { chapAuthDiscovery: true }),
  'a registry without a port': more('quobyte', { registry: 'a' }),
  'a part beyond the last of a disk': more('gcePersistentDisk', { partition: 256 }),
  'a part beyond the last of a store': more('awsElasticBlockStore', { partition: 256 }),
  'a channel of nothing': volumes({ fc: {} }),
  'a channel by two ways': volumes({ fc: { targetWWNs: ['a'], lun: 1, wwids: ['b'] } }),
  'two sources in one': projected({ configMap: { name: 'a' }, secret: { name: 'a' } }),
  'two files at one path': projected(
    ...[
      { configMap: { name: 'a', ...items({ key: 'a', path: 'a' }) } },
      { secret: { name: 'a', ...items({ key: 'a', path: 'a' }) } },
    ],
  ),
  'a token at no path': projected(token({ path: '' })),
  'a token of less than ten minutes': projected(token({ expirationSeconds: 599 })),
  'a field and a resource at once': downward({ fieldRef, resourceFieldRef }),
  'neither a field nor a resource': downward({}),
  'an unknown field': downward({ fieldRef: { fieldPath: 'spec.other' } }),
  'an unknown resource': downward({ resourceFieldRef: { ...resourceFieldRef, resource: 'limits.other' } }),
  'a claim that another volume makes': made('touchstone-claims', 'a', { claimName: 'touchstone-claims-a' }),
  'a claim whose name is too long': made('a'.repeat(250), 'abcd', { claimName: 'a' }),
  'a claim of no room': template({ ...claim, resources: {} }),
  'a claim of no use': template({ ...claim, accessModes: [] }),
};

export const fittingVolumes: Parts = {
  ...Object.fromEntries(
    Object.keys(sources).map((source) => [`no more than a ${source} has to say`, more(source, {})]),
  ),
  'room for nothing': volumes({ emptyDir: { sizeLimit: '0', medium: 'Memory' } }),
  'a managed disk': more('azureDisk', { kind: 'Managed', diskURI: '/subscriptions/a' }),
  'a driver with a secret': more('csi', { nodePublishSecretRef: { name: 'a' } }),
  'a file with rights': more('secret', items({ key: 'a', path: 'b/c', mode: 0o777 })),
  'a channel by one way': volumes({ fc: { wwids: ['b'] } }),
  'several sources': projected(
    { configMap: { name: 'a' } },
    { secret: { name: 'a' } },
    token({ expirationSeconds: 600 }),
  ),
  'a field': downward({ fieldRef }),
  'a resource': downward({ resourceFieldRef }),
  'a claim': template(claim),
};
