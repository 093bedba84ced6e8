import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { oneOf, positive } from '../field-rules.ts';
import { specChanged } from '../same-value.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import { conditionsStatus } from './conditions-status.ts';
import { fixedSpec } from './mandatory.ts';

interface Queuing {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}

interface PriorityLevelConfiguration extends KubeObject {
  spec?: {
    type?: string;
    limited?: { assuredConcurrencyShares?: number; limitResponse?: { type?: string; queuing?: Queuing } };
  };
}

const at = FieldPath.of('spec');
const mostQueues = 10_000_000;
/** So many bits of a request's hash choose its hand of queues. */
const hashBits = 60;

function defaults(object: PriorityLevelConfiguration): void {
  object.spec ??= {};
  object.status ??= {};
  const { limited } = object.spec;
  if (!limited) return;
  limited.assuredConcurrencyShares ||= 30;
  const queuing = limited.limitResponse?.queuing;
  if (!queuing) return;
  queuing.queues ||= 64;
  queuing.handSize ||= 8;
  queuing.queueLengthLimit ||= 50;
}

function validateQueuing({ queues = 0, handSize = 0, queueLengthLimit = 0 }: Queuing, here: FieldPath): FieldError[] {
  const errors = [...positive(queueLengthLimit, here.child('queueLengthLimit'))];
  if (queues <= 0 || queues > mostQueues)
    errors.push(invalidValue(here.child('queues'), queues, `must be between 1 and ${mostQueues}`));
  if (handSize <= 0) errors.push(invalidValue(here.child('handSize'), handSize, 'must be positive'));
  else if (handSize > queues)
    errors.push(invalidValue(here.child('handSize'), handSize, 'should not be greater than queues'));
  else if (handSize * Math.log2(Math.max(queues, 2)) > hashBits)
    errors.push(invalidValue(here.child('handSize'), handSize, `takes more than ${hashBits} bits of entropy`));
  return errors;
}

function validate({ metadata, spec = {} }: PriorityLevelConfiguration): FieldError[] {
  const { type, limited } = spec;
  const errors = oneOf(type ?? '', ['Exempt', 'Limited'], at.child('type'));
  if ((type === 'Exempt') !== (metadata.name === 'exempt'))
    errors.push(invalidValue(at.child('type'), type, "must be 'Exempt' if and only if `name` is 'exempt'"));
  if (type === 'Exempt')
    return limited
      ? [...errors, forbiddenField(at.child('limited'), 'must be nil if the type is not Limited')]
      : errors;
  if (type !== 'Limited') return errors;
  const here = at.child('limited');
  if (!limited) return [...errors, required(here, 'must not be empty when type is Limited')];
  const response = here.child('limitResponse');
  const { type: answer, queuing } = limited.limitResponse ?? {};
  return [
    ...errors,
    ...positive(limited.assuredConcurrencyShares, here.child('assuredConcurrencyShares')),
    ...oneOf(answer ?? '', ['Queue', 'Reject'], response.child('type')),
    ...(answer === 'Reject' && queuing
      ? [forbiddenField(response.child('queuing'), 'must be nil if limited.limitResponse.type is not Limited')]
      : []),
    ...(answer === 'Queue'
      ? queuing
        ? validateQueuing(queuing, response.child('queuing'))
        : [required(response.child('queuing'), 'must not be empty if limited.limitResponse.type is Limited')]
      : []),
  ];
}

const none = '<none>';

export const priorityLevelConfiguration = defineKind<PriorityLevelConfiguration>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1beta2',
  kind: 'PriorityLevelConfiguration',
  resource: 'prioritylevelconfigurations',
  default: defaults,
  deprecations: {
    v1beta1:
      'flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration is deprecated in v1.23+, unavailable in v1.26+; use flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration',
  },
  generationRises: specChanged,
  validate: (level) => [...validate(level), ...fixedSpec(level, 'prioritylevelconfigurations')],
  subresources: { status: conditionsStatus },
  table: {
    columns: [
      nameColumn,
      column('Type'),
      column('AssuredConcurrencyShares'),
      column('Queues'),
      column('HandSize'),
      column('QueueLengthLimit'),
      ageColumn,
    ],
    cells(object, now) {
      const { type, limited } = object.spec ?? {};
      const queuing = limited?.limitResponse?.queuing;
      return [
        object.metadata.name,
        type,
        limited?.assuredConcurrencyShares ?? none,
        queuing?.queues ?? none,
        queuing?.handSize ?? none,
        queuing?.queueLengthLimit ?? none,
        age(object, now),
      ];
    },
  },
});
