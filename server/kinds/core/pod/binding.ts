import { type FieldError, notSupported, required } from '../../../base/field-error.ts';
import { FieldPath } from '../../../base/field-path.ts';
import type { KubeObject } from '../../../base/kube-object.ts';
import { badRequest, conflict, invalid } from '../../../base/status-error.ts';
import { formatTime } from '../../../base/time/clock.ts';
import { defineKind, type Operation, type OperationInput } from '../../strategy.ts';
import type { Pod, PodCondition } from './shape.ts';
import { statusSuccess } from './status-success.ts';

/** Says on which node a pod shall run. Nothing of it is kept but what it does to the pod. */
interface Binding extends KubeObject {
  target?: { kind?: string; name?: string };
}

const subject = { group: '', resource: 'pods/binding' };

function validate({ target = {} }: Binding): FieldError[] {
  const at = FieldPath.of('target');
  const { kind = '', name } = target;
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported(at.child('kind'), kind, ['Node', '<empty>'])]),
    ...(name ? [] : [required(at.child('name'))]),
  ];
}

/** The pod with its node; refuses one that has a node already, is being deleted, or is not the one meant. */
function bind(pod: Pod, { metadata, target }: Binding, now: number): Pod {
  const name = pod.metadata.name ?? '';
  const refuse = (why: string) => conflict(subject, name, why);
  for (const field of ['uid', 'resourceVersion'] as const)
    if (metadata[field] && metadata[field] !== pod.metadata[field])
      throw conflict(
        { group: '', resource: 'pods' },
        name,
        `Precondition failed: ${field} in precondition: ${metadata[field]}, ${field} in object meta: ${pod.metadata[field]}`,
      );
  if (pod.metadata.deletionTimestamp) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (pod.spec?.nodeName) throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`);
  pod.spec = { ...pod.spec, nodeName: target?.name ?? '' };
  if (metadata.annotations) pod.metadata.annotations = { ...pod.metadata.annotations, ...metadata.annotations };
  pod.status = { ...pod.status, conditions: withScheduled(pod.status?.conditions ?? [], now) };
  return pod;
}

/** The condition in its place, where it stood before; last otherwise. */
function withScheduled(conditions: readonly PodCondition[], now: number): PodCondition[] {
  const at = conditions.findIndex(({ type }) => type === 'PodScheduled');
  const before = conditions[at];
  const lastTransitionTime = (before?.status === 'True' && before.lastTransitionTime) || formatTime(now);
  const scheduled: PodCondition = { type: 'PodScheduled', status: 'True', lastTransitionTime };
  return before ? conditions.with(at, scheduled) : [...conditions, scheduled];
}

function checked(body: KubeObject | undefined): Binding {
  const binding = body as Binding | undefined;
  if (!binding) throw badRequest('the body of the request must be a Binding');
  const errors = validate(binding);
  if (errors.length > 0) throw invalid({ group: '', resource: 'Binding' }, binding.metadata.name ?? '', errors);
  return binding;
}

/** POST to `/binding` of a pod. */
export const bindPod: Operation = async ({ body, name, context, update }) => {
  if (body?.metadata.name !== name) throw badRequest('name in URL does not match name in Binding object');
  const binding = checked(body);
  await update<Pod>((pod) => bind(pod, binding, context.clock.now()));
  return statusSuccess(201);
};

/** POST to `/bindings` of a namespace: the binding bears the pod's name. */
const bindNamed: Operation = async ({ body, namespace, context, updateOther }: OperationInput) => {
  const binding = checked(body);
  if (!binding.metadata.name) throw badRequest('Name parameter required.');
  const pod = { group: '', resource: 'pods', namespace, name: binding.metadata.name ?? '' };
  await updateOther<Pod>(pod, (current) => bind(current, binding, context.clock.now()));
  return statusSuccess(201);
};

export const binding = defineKind<Binding>({
  group: '',
  version: 'v1',
  kind: 'Binding',
  resource: 'bindings',
  operations: { '': { run: bindNamed, meansObject: true } },
});
