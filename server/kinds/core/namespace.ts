import { type FieldError, invalidValue } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { labelName, qualifiedName } from '../../base/names.ts';
import { eachOf } from '../field-rules.ts';
import { keepSpec, keepStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

interface NamespaceCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string | null;
}

interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: NamespaceCondition[] };
}

/** Holds a namespace until its content is gone. */
const ownFinalizer = 'kubernetes';
const nameLabel = 'kubernetes.io/metadata.name';
const standardFinalizers = [ownFinalizer, 'orphan', 'foregroundDeletion'];

const finalizersAt = FieldPath.of('spec', 'finalizers');

/** The label always tells the name, so that selectors can find a namespace by it. */
function labelWithName({ metadata }: Namespace): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
}

function setDefaults(namespace: Namespace): void {
  // A generated name is not the writer's, nor is the label that tells it.
  if (!namespace.metadata.generateName) labelWithName(namespace);
  namespace.spec ??= {};
  if (namespace.spec.finalizers?.length === 0) delete namespace.spec.finalizers;
  namespace.status ??= {};
  namespace.status.phase ||= 'Active';
  for (const condition of namespace.status.conditions ?? []) condition.lastTransitionTime ??= null;
}

function startActive(namespace: Namespace): void {
  labelWithName(namespace);
  const asked = namespace.spec?.finalizers ?? [];
  namespace.spec = { finalizers: asked.includes(ownFinalizer) ? asked : [...asked, ownFinalizer] };
  namespace.status = { phase: 'Active' };
}

function validateFinalizer(name: string, at: FieldPath): FieldError[] {
  const errors = qualifiedName(name).map((problem) => invalidValue(at, name, problem));
  if (!name.includes('/') && !standardFinalizers.includes(name))
    errors.push(invalidValue(at, name, 'must be a standard finalizer or have a domain in front'));
  return errors;
}

function validatePhase({ metadata, status }: Namespace): FieldError[] {
  const fitting = metadata.deletionTimestamp ? 'Terminating' : 'Active';
  const phase = status?.phase ?? '';
  if (phase === fitting) return [];
  const state = metadata.deletionTimestamp ? 'is being deleted' : 'is not being deleted';
  return [invalidValue('status.Phase', phase, `must be '${fitting}' while the namespace ${state}`)];
}

export const namespace = defineKind<Namespace>({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  resource: 'namespaces',
  nameRule: labelName,
  deleteAnswersObject: true,
  default: setDefaults,
  prepareCreate: startActive,
  prepareUpdate: (next, previous) => {
    labelWithName(next);
    keepSpec(next, previous);
    keepStatus(next, previous);
  },
  validateCreate: ({ spec }) => (spec?.finalizers ?? []).flatMap((name) => validateFinalizer(name, finalizersAt)),
  // Whoever deletes a namespace sees it end, even when nothing holds it any more: a first delete only marks it.
  isHeld: ({ metadata, spec }) => (spec?.finalizers?.length ?? 0) > 0 || !metadata.deletionTimestamp,
  beginDeletion: (object) => {
    object.status = { ...object.status, phase: 'Terminating' };
    return 'untimed';
  },
  selectable: { 'status.phase': ({ status }) => status?.phase ?? '' },
  subresources: {
    status: {
      prepareUpdate: (next, previous) => {
        labelWithName(next);
        keepSpec(next, previous);
      },
      validateUpdate: validatePhase,
    },
    finalize: {
      unownedFields: ['status'],
      prepareUpdate: (next, previous) => {
        labelWithName(next);
        keepStatus(next, previous);
      },
      validateUpdate: ({ spec }) => eachOf(spec?.finalizers, finalizersAt, validateFinalizer),
    },
  },
  table: {
    columns: [nameColumn, column('Status', 'The status of the namespace'), ageColumn],
    cells: (object, now) => [object.metadata.name, object.status?.phase ?? '', age(object, now)],
  },
});
