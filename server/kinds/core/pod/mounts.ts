import { type FieldError, fieldNotFound, forbiddenField, invalidValue, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { eachOf, oneOf, requiredText } from '../../field-rules.ts';
import { relativePath, withoutBacksteps } from '../volume/files.ts';
import type { Container, Volume, VolumeMount } from './shape.ts';

/** Where a container finds the volumes of its pod. */

/** The volumes that can be mounted: those without a fault. */
export type VolumesByName = ReadonlyMap<string, Volume>;

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

/** Faults of what is inside the volume are told at the list, those of the mount itself at the entry. */
export function validateMounts(container: Container, volumes: VolumesByName, at: FieldPath): FieldError[] {
  const paths = new Set<string>();
  const devices = container.volumeDevices ?? [];
  const deviceNames = new Set(devices.map(({ name = '' }) => name));
  const devicePaths = new Set(devices.map(({ devicePath = '' }) => devicePath));
  return eachOf(container.volumeMounts, at, (mount, here) => {
    const { name = '', mountPath = '', subPath, subPathExpr } = mount;
    const errors = [...knownVolume(name, volumes, here), ...requiredText(mountPath, here.child('mountPath'))];
    if (paths.has(mountPath)) errors.push(invalidValue(here.child('mountPath'), mountPath, 'must be unique'));
    paths.add(mountPath);
    if (deviceNames.has(name))
      errors.push(invalidValue(here.child('name'), name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath))
      errors.push(invalidValue(here.child('mountPath'), mountPath, 'must not already exist in volumeDevices'));
    if (subPath) errors.push(...relativePath(subPath, at.child('subPath')));
    if (subPath && subPathExpr)
      errors.push(
        invalidValue(here.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive'),
      );
    if (subPathExpr) errors.push(...relativePath(subPathExpr, at.child('subPathExpr')));
    return [...errors, ...propagation(mount, container, at.child('mountPropagation'))];
  });
}

const knownVolume = (name: string, volumes: VolumesByName, at: FieldPath): FieldError[] => [
  ...requiredText(name, at.child('name')),
  ...(volumes.has(name) ? [] : [fieldNotFound(at.child('name'), name)]),
];

const propagation = (mount: VolumeMount, container: Container, at: FieldPath): FieldError[] => [
  ...oneOf(mount.mountPropagation, propagations, at),
  ...(mount.mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true
    ? [forbiddenField(at, 'Bidirectional is only for privileged containers')]
    : []),
];

export function validateDevices(container: Container, volumes: VolumesByName, at: FieldPath): FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = container.volumeMounts ?? [];
  const mountNames = new Set(mounts.map(({ name = '' }) => name));
  const mountPaths = new Set(mounts.map(({ mountPath = '' }) => mountPath));
  return eachOf(container.volumeDevices, at, ({ name = '', devicePath = '' }, here) => {
    const [nameAt, pathAt] = [here.child('name'), here.child('devicePath')];
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    if (!name) errors.push(required(nameAt));
    if (names.has(name)) errors.push(invalidValue(nameAt, name, 'must be unique'));
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral)
      errors.push(invalidValue(nameAt, name, 'only a claim or an ephemeral volume can be a device'));
    if (!volume) errors.push(fieldNotFound(nameAt, name));
    if (!devicePath) errors.push(required(pathAt));
    if (paths.has(devicePath)) errors.push(invalidValue(pathAt, devicePath, 'must be unique'));
    if (devicePath) errors.push(...withoutBacksteps(devicePath, pathAt));
    if (mountNames.has(name)) errors.push(invalidValue(nameAt, name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(devicePath))
      errors.push(invalidValue(pathAt, devicePath, 'must not already exist as a path in volumeMounts'));
    if (name) names.add(name);
    paths.add(devicePath);
    return errors;
  });
}
