import { type FieldError, invalidValue, notSupported, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropGatedFields } from '../core/pod/gates.ts';
import type { PodPolicy } from '../core/pod/security.ts';
import type { LabelSelector, PodTemplateSpec } from '../core/pod/shape.ts';
import { validateWorkloadTemplate } from '../core/pod/spec.ts';
import { changedTemplateWarnings } from '../core/pod/warnings.ts';
import { containerCells, containersColumn, imagesColumn } from '../core/pod-template/table.ts';
import { nonNegative } from '../field-rules.ts';
import { collisionsOnlyRise } from '../replica-counts.ts';
import { sameValue, specChanged } from '../same-value.ts';
import { selectorText } from '../selector-text.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, labelText, nameColumn, wideColumn } from '../table-cells.ts';
import {
  countOf,
  immutableSelector,
  notOver100,
  type PodCount,
  sharedDisks,
  templateFitsIfReadable,
  unreadableNumber,
  validatePodCount,
  validateSelector,
} from './workload-rules.ts';

interface DaemonSet extends KubeObject {
  spec?: {
    selector?: LabelSelector;
    template?: PodTemplateSpec;
    updateStrategy?: { type?: string; rollingUpdate?: { maxUnavailable?: PodCount; maxSurge?: PodCount } };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
  };
  status?: Record<string, number | undefined>;
}

const at = FieldPath.of('spec');
/** Counts the versions of the template. */
export const generationAnnotation = 'deprecated.daemonset.template.generation';

const alwaysCounted = ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'];
const counts = [
  ...alwaysCounted,
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

function defaults(set: DaemonSet): void {
  set.spec ??= {};
  set.status = { ...Object.fromEntries(alwaysCounted.map((field) => [field, 0])), ...set.status };
  const { spec } = set;
  spec.template ??= {};
  defaultPodTemplate(spec.template);
  spec.updateStrategy ??= {};
  const strategy = spec.updateStrategy;
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= 1;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  // It is told of every set, so its writer owns it.
  if (!set.metadata.annotations?.[generationAnnotation]) setTemplateGeneration(set, 0);
}

type Strategy = NonNullable<NonNullable<DaemonSet['spec']>['updateStrategy']>;

function validateStrategy(strategy: Strategy, here: FieldPath): FieldError[] {
  const { type, rollingUpdate } = strategy;
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [notSupported(here, type, ['RollingUpdate', 'OnDelete'])];
  const rolling = here.child('rollingUpdate');
  if (!rollingUpdate) return [required(rolling)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const errors = [
    ...validatePodCount(maxUnavailable, rolling.child('maxUnavailable')),
    ...validatePodCount(maxSurge, rolling.child('maxSurge')),
  ];
  const [goes, comes] = [countOf(maxUnavailable) !== 0, countOf(maxSurge) !== 0];
  if (goes && comes)
    errors.push(invalidValue(rolling.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (!goes && !comes) errors.push(required(rolling.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0'));
  return [
    ...errors,
    ...notOver100(maxUnavailable, rolling.child('maxUnavailable')),
    ...notOver100(maxSurge, rolling.child('maxSurge')),
  ];
}

function* validate({ spec = {} }: DaemonSet, policy: PodPolicy): Work<FieldError[]> {
  return [
    ...(spec.selector ? validateSelector(spec.selector, 'daemonset', at.child('selector')) : []),
    ...templateFitsIfReadable(spec.template, spec.selector, at.child('template')),
    ...(yield* validateWorkloadTemplate(spec.template, policy, at.child('template'))),
    ...sharedDisks(spec.template, at.child('template')),
    ...nonNegative(spec.minReadySeconds, at.child('minReadySeconds')),
    ...validateStrategy(spec.updateStrategy ?? {}, at.child('updateStrategy')),
    ...nonNegative(spec.revisionHistoryLimit, at.child('revisionHistoryLimit')),
  ];
}

const templateGeneration = ({ metadata }: KubeObject) =>
  Number.parseInt(metadata.annotations?.[generationAnnotation] ?? '', 10) || 0;

function setTemplateGeneration({ metadata }: KubeObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [generationAnnotation]: String(generation) };
}

const status = checkedStatus<DaemonSet>((next, previous) => [
  ...counts.flatMap((field) => nonNegative(next.status?.[field], FieldPath.of('status', field))),
  ...collisionsOnlyRise(next, previous),
]);

export const daemonSet = defineKind<DaemonSet>({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  resource: 'daemonsets',
  default: defaults,
  prepareCreate(next, { features }) {
    dropGatedFields(next.spec?.template?.spec, features);
    setTemplateGeneration(next, Math.max(1, templateGeneration(next)));
  },
  prepareUpdate(next, previous, { features }) {
    dropGatedFields(next.spec?.template?.spec, features);
    const changed = !sameValue(next.spec?.template, previous.spec?.template);
    setTemplateGeneration(next, templateGeneration(previous) + (changed ? 1 : 0));
  },
  generationRises: specChanged,
  unreadable: (set) => unreadableNumber(set, generationAnnotation),
  validate,
  // An update is checked both as a new object and as a change.
  *validateUpdate(next, previous, context) {
    return [
      ...(yield* validate(next, context)),
      ...immutableSelector(next.spec?.selector, previous.spec?.selector, at),
    ];
  },
  warnings: (next, previous) =>
    changedTemplateWarnings(next.spec?.template, previous?.spec?.template, at.child('template')),
  subresources: {
    status: {
      ...status,
      prepareUpdate(next, previous, context) {
        status.prepareUpdate?.(next, previous, context);
        setTemplateGeneration(next, templateGeneration(previous));
      },
    },
  },
  table: {
    columns: [
      nameColumn,
      { name: 'Desired', type: 'integer' },
      { name: 'Current', type: 'integer' },
      { name: 'Ready', type: 'integer' },
      { name: 'Up-to-date', type: 'integer' },
      { name: 'Available', type: 'integer' },
      column('Node Selector'),
      ageColumn,
      containersColumn,
      imagesColumn,
      wideColumn('Selector'),
    ],
    cells: (object, now) => [
      object.metadata.name,
      object.status?.desiredNumberScheduled ?? 0,
      object.status?.currentNumberScheduled ?? 0,
      object.status?.numberReady ?? 0,
      object.status?.updatedNumberScheduled ?? 0,
      object.status?.numberAvailable ?? 0,
      labelText(object.spec?.template?.spec?.nodeSelector),
      age(object, now),
      ...containerCells(object.spec?.template),
      selectorText(object.spec?.selector),
    ],
  },
});
