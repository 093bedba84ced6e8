import { slip } from '../fault.ts';

const attachment = 'kinds/storage/volume-attachment.ts';
const csiDriver = 'kinds/storage/csi-driver.ts';
const csiNode = 'kinds/storage/csi-node.ts';

/** What drivers of storage say of themselves, and what is asked of them. */
export default [
  slip(
    'what a VolumeAttachment attaches where may change',
    ['component'],
    attachment,
    "sameValue(next.spec, previous.spec) ? [] : [invalidValue(at, next.spec, 'field is immutable')]",
    "sameValue(next.spec?.attacher, previous.spec?.attacher) ? [] : [invalidValue(at, next.spec, 'field is immutable')]",
  ),
  slip(
    'a VolumeAttachment may be of a volume by name and of one that it brings along',
    ['component'],
    attachment,
    'return persistentVolumeName !== undefined',
    'return persistentVolumeName === ""',
  ),
  slip(
    'a status of a VolumeAttachment takes labels along',
    ['component'],
    attachment,
    "checkedStatus<VolumeAttachment>(validateStatus, 'metadata')",
    'checkedStatus<VolumeAttachment>(validateStatus)',
  ),
  slip(
    'whether a CSIDriver wants to be told again is no new generation',
    ['component'],
    csiDriver,
    "(['tokenRequests', 'requiresRepublish'] as const).some(",
    "(['tokenRequests'] as const).some(",
  ),
  slip(
    'the ways in which volumes of a CSIDriver live may change',
    ['component'],
    csiDriver,
    "(['attachRequired', 'podInfoOnMount', 'volumeLifecycleModes', 'fsGroupPolicy'] as const)",
    "(['attachRequired', 'podInfoOnMount', 'fsGroupPolicy'] as const)",
  ),
  slip(
    'a CSIDriver may ask for tokens of one audience twice',
    ['component'],
    csiDriver,
    "if (seen.has(audience)) return [duplicate(here.child('audience'), audience)];",
    '',
  ),
  slip(
    'a driver may come to know a node by another name',
    ['component'],
    csiNode,
    '!old || sameValue(old, driver)',
    '!old || sameValue(old.topologyKeys, driver.topologyKeys)',
  ),
  slip(
    'where the room of a CSIStorageCapacity is may change',
    ['component'],
    'kinds/storage/csi-storage-capacity.ts',
    "...immutable(next.nodeTopology, previous.nodeTopology, FieldPath.of('nodeTopology')),",
    '',
  ),
  slip(
    'a storage class may name one place twice',
    ['component'],
    'kinds/storage/storage-class.ts',
    "if (seen.has(text)) errors.push(duplicate(here, ''));",
    '',
  ),
  slip(
    'why a volume is not attached may be told at any length',
    ['component'],
    'kinds/storage/volume-attachment.ts',
    'const messageBytes = 1024;',
    'const messageBytes = 1 << 20;',
  ),
  slip(
    'what is told about an attached volume may be a byte more than it may',
    ['component'],
    'kinds/storage/volume-attachment.ts',
    'size > metadataBytes',
    'size > metadataBytes + 1',
  ),
  slip(
    'a volume that a VolumeAttachment brings along may be anything',
    ['component'],
    'kinds/storage/volume-attachment.ts',
    ": validateInlineVolumeSpec(inlineVolumeSpec, here.child('inlineVolumeSpec'));",
    ': [];',
  ),
  slip(
    'a driver of storage cannot say that files have owners',
    ['component'],
    'kinds/storage/csi-driver.ts',
    "['ReadWriteOnceWithFSType', 'File', 'None']",
    "['ReadWriteOnceWithFSType', 'None']",
  ),
];
