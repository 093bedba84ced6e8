import type { Json } from '../../verbs/json.ts';
import type { Parts } from './judged-kind.ts';
import { sources } from './volumes.ts';
import { podsOf } from './workload-parts.ts';

/** Of a template: behind a volume that is sound. */
const volume = (one: Json): Json =>
  podsOf({
    volumes: [
      { name: 'sound', emptyDir: {} },
      { name: 'a', ...one },
    ],
  });
/** A source that says this, too. */
const more = (source: string, parts: Json): Json => volume({ [source]: { ...sources[source], ...parts } });
const item = (source: string, parts: Json): Json => more(source, { items: [{ key: 'a', path: 'b', ...parts }] });

const ofMaps = ['configMap', 'secret'].flatMap((source): (readonly [string, Json])[] => [
  [`a file of a ${source} of less than no rights`, item(source, { mode: -1 })],
  [`a file of a ${source} of more than all rights`, item(source, { mode: 0o1000 })],
  [`a file of a ${source} that is kept for the volume`, item(source, { path: '..a' })],
  [`files of a ${source} of less than no rights`, more(source, { defaultMode: -1 })],
]);

const fieldRef = { fieldPath: 'metadata.name' };
const shown = (parts: Json, all: Json = {}): Json =>
  volume({ downwardAPI: { items: [{ path: 'a', ...parts }], ...all } });
const amount = (parts: Json): Json =>
  shown({ resourceFieldRef: { containerName: 'main', resource: 'limits.memory', ...parts } });
const projected = (...all: readonly Json[]): Json => volume({ projected: { sources: all } });

const ofPods: Parts = {
  'a field at no path': shown({ path: '', fieldRef }),
  'a field anywhere': shown({ path: '/a', fieldRef }),
  'a field above': shown({ path: '../a', fieldRef }),
  'a field of more than all rights': shown({ fieldRef, mode: 0o1000 }),
  'fields of more than all rights': shown({ fieldRef }, { defaultMode: 0o1000 }),
  'a field that files do not tell': shown({ fieldRef: { fieldPath: 'spec.nodeName' } }),
  'an amount of nobody': amount({ containerName: '' }),
  'an amount by a part that is none': amount({ divisor: '3' }),
  'a map without a name': projected({ configMap: { items: [{ key: 'a', path: 'a' }] } }),
  'a file of several sources above': projected({ secret: { name: 'a', items: [{ key: 'a', path: '../a' }] } }),
  'a field of several sources that is none': projected({ downwardAPI: { items: [{ path: 'a' }] } }),
  'a token of longer than can be said': projected({
    serviceAccountToken: { path: 'a', expirationSeconds: 2 ** 32 + 1 },
  }),
  'files of several sources of more than all rights': volume({
    projected: { sources: [{ secret: { name: 'a' } }], defaultMode: 0o1000 },
  }),
};

const scaleIO = { gateway: 'a', system: 'b', volumeName: 'c', secretRef: { name: 'a' } };

const ofDisks: Parts = {
  'an unknown sort of path': more('hostPath', { type: 'Other' }),
  'a directory anywhere': more('gitRepo', { directory: '/a' }),
  'a part below none of a disk': more('gcePersistentDisk', { partition: -1 }),
  'an unknown way to cache a disk': more('azureDisk', { cachingMode: 'Other' }),
  'an unknown sort of disk': more('azureDisk', { kind: 'Other' }),
  'the last unit of a target and one more': more('iscsi', { lun: 256 }),
  'a unit below none of a target': more('iscsi', { lun: -1 }),
  'who begins with a target by no name': more('iscsi', { initiatorName: 'nothing' }),
  'a session with a target without a secret': more('iscsi', { chapAuthSession: true }),
  'a channel to no unit (LUN)': volume({ fc: { targetWWNs: ['a'] } }),
  'a channel to a unit beyond the last': volume({ fc: { targetWWNs: ['a'], lun: 256 } }),
  'a secret of a disk without a name': more('cinder', { secretRef: {} }),
  'a driver with a setting that is kept': more('flexVolume', { options: { 'kubernetes.io/a': 'b' } }),
  'a driver of 64 letters': more('csi', { driver: 'a'.repeat(64) }),
  'a tenant of 65 letters': more('quobyte', { tenant: 'a'.repeat(65) }),
  'a data set by neither name nor UUID': volume({ flocker: {} }),
  'a data set by its name and its UUID': volume({ flocker: { datasetName: 'a', datasetUUID: 'b' } }),
  'a data set with a slash': volume({ flocker: { datasetName: 'a/b' } }),
  'a volume of a store without a name': volume({ storageos: {} }),
  'a volume of a store by a bad name': volume({ storageos: { volumeName: 'Not_A_Name' } }),
  'a volume of a store in a bad namespace': volume({ storageos: { volumeName: 'a', volumeNamespace: 'Not_A_Name' } }),
  ...Object.fromEntries(
    ['gateway', 'system', 'volumeName'].map((field) => [
      `a ${field} that is not said`,
      volume({ scaleIO: { ...scaleIO, [field]: undefined } }),
    ]),
  ),
};

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const claiming = (template: Json): Json => volume({ ephemeral: { volumeClaimTemplate: { spec, ...template } } });

const ofClaims: Parts = {
  'a claim by a name': claiming({ metadata: { name: 'a' } }),
  'a claim that somebody holds': claiming({ metadata: { finalizers: ['example.com/a'] } }),
  'a claim by a bad label': claiming({ metadata: { labels: { 'Not A Key': 'a' } } }),
  'a claim of an unknown mode': claiming({ spec: { ...spec, volumeMode: 'Other' } }),
  'a claim of no template': volume({ ephemeral: {} }),
};

const sorts = ['', 'DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'];
const paths = sorts.map((type, at) => ({ name: `v${at}`, hostPath: { path: '/a', type } }));

/** What volumes of a template may not be. */
export const unfitVolumeParts: Parts = { ...Object.fromEntries(ofMaps), ...ofPods, ...ofDisks, ...ofClaims };

export const fittingVolumeParts: Parts = {
  'all rights and none': more('secret', {
    ...{ defaultMode: 0, items: [0, 0o777].map((mode) => ({ key: 'a', path: `b/${mode}`, mode })) },
  }),
  'every field that files tell': volume({
    downwardAPI: {
      items: ['name', 'namespace', 'uid', 'labels', 'annotations', "labels['a']"].map((field, at) => ({
        ...{ path: `a/${at}`, fieldRef: { fieldPath: `metadata.${field}` } },
      })),
    },
  }),
  'an amount by a part of it': amount({ divisor: '1Mi' }),
  'a target with who begins, its last unit and a secret': more('iscsi', {
    ...{ lun: 255, initiatorName: sources['iscsi'].iqn, chapAuthSession: true, secretRef: { name: 'a' } },
  }),
  'a channel to the last unit': volume({ fc: { targetWWNs: ['a'], lun: 255 } }),
  'every sort of path': podsOf({ volumes: paths }),
  'a data set': volume({ flocker: { datasetName: 'a' } }),
  'a volume of a store': volume({ storageos: { volumeName: 'a', volumeNamespace: 'b' } }),
  'a volume of a gateway': volume({ scaleIO }),
  'a claim with labels': claiming({ metadata: { labels: { a: 'b' }, annotations: { a: 'b' } } }),
};
