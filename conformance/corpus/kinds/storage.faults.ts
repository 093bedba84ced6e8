import { slip } from '../fault.ts';

const persistentVolumeClaim = 'kinds/core/persistent-volume-claim.ts';

/** Volumes, claims and storage classes. */
export default [
  slip(
    'a claim that is bound may shrink',
    ['kinds', 'component'],
    persistentVolumeClaim,
    "if (compareAmounts(size ?? '0', oldSize ?? '0') < 0)",
    "if (compareAmounts(size ?? '0', '0') < 0)",
  ),
  slip('a claim cannot be read by many', ['component'], persistentVolumeClaim, "'ReadOnlyMany', ", ''),
  slip(
    'no claim is without a fault of its source',
    ['component'],
    persistentVolumeClaim,
    "spec.dataSource && spec.dataSourceRef && !sameValue(spec.dataSource, spec.dataSourceRef)\n      ? [invalidValue(here, 'dataSource', 'must match dataSourceRef')]\n      : []",
    "([invalidValue(here, 'dataSource', 'must match dataSourceRef')])",
  ),
  slip(
    'a volume of a pod may name a secret without its name',
    ['component'],
    'kinds/core/volume/csi.ts',
    ', publishSecret',
    '',
  ),
  slip(
    'a disk in a cloud may have any address',
    ['component'],
    'kinds/core/volume/block-devices.ts',
    "uri.startsWith(start) ? [] : [notSupported(at.child('diskURI'), uri, [`${start}…`])]",
    '([])',
  ),
  slip(
    'who provides a class of storage may change',
    ['kinds', 'component'],
    'kinds/storage/storage-class.ts',
    "(['parameters', 'provisioner', 'reclaimPolicy'] as const)",
    "(['parameters', 'reclaimPolicy'] as const)",
  ),
  slip(
    'a storage class may have one parameter more than it may',
    ['component'],
    'kinds/storage/storage-class.ts',
    '512',
    '513',
  ),
  slip(
    'a claim that names its source in the newer field does not tell it in the older one',
    ['component'],
    'kinds/core/persistent-volume-claim.ts',
    'else if (spec.dataSourceRef && !spec.dataSource) spec.dataSource = { ...spec.dataSourceRef };',
    '',
  ),
  slip(
    'the source of a volume may become another of its sort',
    ['component'],
    'kinds/core/persistent-volume.ts',
    '...(sameValue(fixedSource(next, growsBySecret), fixedSource(previous, growsBySecret))',
    '...(fixedSource(next, growsBySecret).length === fixedSource(previous, growsBySecret).length',
  ),
  slip(
    'what becomes of the volumes of a class may change',
    ['component'],
    'kinds/storage/storage-class.ts',
    "(['parameters', 'provisioner', 'reclaimPolicy'] as const)",
    "(['parameters', 'provisioner'] as const)",
  ),
  slip(
    'the nodes of a volume may change',
    ['component'],
    'kinds/core/persistent-volume.ts',
    '    ...(before ? immutable(next.spec?.nodeAffinity, before, affinityAt) : []),\n',
    '',
  ),
  slip(
    'a claim that is not bound may grow',
    ['component'],
    persistentVolumeClaim,
    "previous.status?.phase === 'Bound' && requests && oldSize !== undefined",
    'requests && oldSize !== undefined',
  ),
  slip(
    'no volume may be emptied for others, wherever it is',
    ['component'],
    'kinds/core/volume/volume-spec.ts',
    "posix.normalize(path) === '/' && persistentVolumeReclaimPolicy === 'Recycle'",
    "persistentVolumeReclaimPolicy === 'Recycle'",
  ),
];
