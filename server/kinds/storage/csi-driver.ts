import { duplicate, type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { eachOf, immutable, oneOf } from '../field-rules.ts';
import { sameValue } from '../same-value.ts';
import { defineKind, type WriteContext } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

interface CsiDriver extends KubeObject {
  spec?: {
    attachRequired?: boolean;
    podInfoOnMount?: boolean;
    storageCapacity?: boolean;
    requiresRepublish?: boolean;
    seLinuxMount?: boolean;
    fsGroupPolicy?: string;
    volumeLifecycleModes?: string[];
    tokenRequests?: { audience?: string; expirationSeconds?: number }[];
  };
}

const at = FieldPath.of('spec');
const shortestToken = 600;
const longestToken = 2 ** 32;

function validateTokens(
  requests: readonly { audience?: string; expirationSeconds?: number }[] | undefined,
): FieldError[] {
  const seen = new Set<string>();
  return eachOf(requests, at.child('tokenRequests'), ({ audience = '', expirationSeconds: seconds }, here) => {
    // Of one that is there already no more is told.
    if (seen.has(audience)) return [duplicate(here.child('audience'), audience)];
    seen.add(audience);
    const fits = seconds === undefined || (seconds >= shortestToken && seconds <= longestToken);
    const why = 'must be between 10 minutes and 2^32 seconds';
    return fits ? [] : [invalidValue(here.child('expirationSeconds'), seconds, why)];
  });
}

function dropGated({ spec }: CsiDriver, { features }: WriteContext): void {
  if (!features.enabled('SELinuxMountReadWriteOncePod')) delete spec?.seLinuxMount;
}

const flag = (name: string) => ({ name, type: 'boolean' }) as const;

export const csiDriver = defineKind<CsiDriver>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  resource: 'csidrivers',
  loosePrefixOnUpdate: true,
  deleteAnswersObject: true,
  unconditionalUpdate: false,
  default(object) {
    object.spec ??= {};
    const { spec } = object;
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.requiresRepublish ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
  },
  prepareCreate: dropGated,
  prepareUpdate: (next, _previous, context) => dropGated(next, context),
  generationStartsLate: true,
  generationRises: (next, previous) =>
    (['tokenRequests', 'requiresRepublish'] as const).some(
      (field) => !sameValue(next.spec?.[field], previous.spec?.[field]),
    ),
  validate: ({ spec = {} }) => [
    ...(spec.attachRequired === undefined ? [required(at.child('attachedRequired'))] : []),
    ...oneOf(spec.fsGroupPolicy, ['ReadWriteOnceWithFSType', 'File', 'None'], at.child('fsGroupPolicy')),
    ...validateTokens(spec.tokenRequests),
    ...(spec.volumeLifecycleModes ?? []).flatMap((mode) =>
      oneOf(mode, ['Ephemeral', 'Persistent'], at.child('volumeLifecycleModes')),
    ),
  ],
  validateUpdate: (next, previous) =>
    (['attachRequired', 'podInfoOnMount', 'volumeLifecycleModes', 'fsGroupPolicy'] as const).flatMap((field) =>
      // The first is told by a name it does not have.
      immutable(
        next.spec?.[field],
        previous.spec?.[field],
        at.child(field === 'attachRequired' ? 'attachedRequired' : field),
      ),
    ),
  table: {
    columns: [
      nameColumn,
      flag('AttachRequired'),
      flag('PodInfoOnMount'),
      flag('StorageCapacity'),
      column('TokenRequests'),
      flag('RequiresRepublish'),
      column('Modes'),
      ageColumn,
    ],
    cells: ({ metadata, spec = {}, ...rest }, now) => [
      metadata.name,
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      (spec.tokenRequests ?? []).map(({ audience = '' }) => audience).join(',') || '<unset>',
      spec.requiresRepublish ?? false,
      (spec.volumeLifecycleModes ?? []).join(',') || '<none>',
      age({ metadata, ...rest } as KubeObject, now),
    ],
  },
});
