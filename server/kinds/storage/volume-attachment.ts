import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsSubdomain } from '../../base/names.ts';
import { defaultVolumeSource } from '../core/pod/defaults.ts';
import { csiDriverName } from '../core/volume/csi.ts';
import { persistentVolumeSources, sourcesOf } from '../core/volume/sources.ts';
import { type VolumeSpec, validateInlineVolumeSpec } from '../core/volume/volume-spec.ts';
import { requiredText } from '../field-rules.ts';
import { sameValue } from '../same-value.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

interface VolumeAttachment extends KubeObject {
  spec?: {
    attacher?: string;
    nodeName?: string;
    source?: Source;
  };
  status?: {
    attached?: boolean;
    attachmentMetadata?: Record<string, string>;
    attachError?: { message?: string };
    detachError?: { message?: string };
  };
}

const at = FieldPath.of('spec');

interface Source {
  persistentVolumeName?: string;
  inlineVolumeSpec?: VolumeSpec;
}

function validateSource({ persistentVolumeName, inlineVolumeSpec }: Source): FieldError[] {
  const here = at.child('source');
  const onlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (!inlineVolumeSpec) return persistentVolumeName ? [] : [required(here, onlyOne)];
  return persistentVolumeName !== undefined
    ? [forbiddenField(here, onlyOne)]
    : validateInlineVolumeSpec(inlineVolumeSpec, here.child('inlineVolumeSpec'));
}

const volumeName = (name: string | undefined): FieldError[] =>
  name === undefined
    ? []
    : dnsSubdomain(name).map((problem) =>
        invalidValue(at.child('source').child('persistentVolumeName'), name, problem),
      );

const messageBytes = 1024;
const metadataBytes = 256 * 1024;

function validateStatus({ status = {} }: VolumeAttachment): FieldError[] {
  const here = FieldPath.of('status');
  const size = Object.entries(status.attachmentMetadata ?? {}).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...(size > metadataBytes ? [tooLong(here.child('attachmentMetadata'), metadataBytes)] : []),
    ...(['attachError', 'detachError'] as const).flatMap((field) =>
      Buffer.byteLength(status[field]?.message ?? '') > messageBytes
        ? [tooLong(here.child(field).child('message'), messageBytes)]
        : [],
    ),
  ];
}

export const volumeAttachment = defineKind<VolumeAttachment>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  resource: 'volumeattachments',
  deleteAnswersObject: true,
  unconditionalUpdate: false,
  default(object) {
    object.spec ??= {};
    object.status ??= {};
    object.status.attached ??= false;
    const inline = object.spec.source?.inlineVolumeSpec ?? {};
    for (const kind of sourcesOf(inline, persistentVolumeSources)) defaultVolumeSource(kind, inline[kind]);
  },
  validate: ({ spec = {} }) => [
    ...requiredText(spec.attacher, at.child('attacher')),
    ...validateSource(spec.source ?? {}),
    ...dnsSubdomain(spec.nodeName ?? '').map((problem) => invalidValue(at.child('nodeName'), spec.nodeName, problem)),
  ],
  validateCreate: ({ spec = {} }) => [
    ...csiDriverName(spec.attacher, at.child('attacher')),
    ...volumeName(spec.source?.persistentVolumeName),
  ],
  validateUpdate: (next, previous) =>
    sameValue(next.spec, previous.spec) ? [] : [invalidValue(at, next.spec, 'field is immutable')],
  subresources: { status: checkedStatus<VolumeAttachment>(validateStatus, 'metadata') },
  table: {
    columns: [
      nameColumn,
      { ...nameColumn, name: 'Attacher' },
      column('PV'),
      column('Node'),
      { name: 'Attached', type: 'boolean' },
      ageColumn,
    ],
    cells: (object, now) => [
      object.metadata.name,
      object.spec?.attacher,
      object.spec?.source?.persistentVolumeName ?? '',
      object.spec?.nodeName,
      object.status?.attached === true,
      age(object, now),
    ],
  },
});
