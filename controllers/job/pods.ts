import { annotationOf, hasFinalizer, managedBy, millisecondsOf, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import type { Job, Pod } from '../runtime/resources.ts';

/** Holds a pod back until its job has counted it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
/** Marks a pod that the job itself stops (suspended, or more than its parallelism): that is no failure. */
export const stoppedAnnotation = 'touchstone.example/stopped-by-job';

export const isTracked = (pod: Pod): boolean => hasFinalizer(pod, trackingFinalizer);
export const isStopped = (pod: Pod): boolean => annotationOf(pod, stoppedAnnotation) !== undefined;

/** The completion index of a pod of an Indexed job; undefined when it has none. */
export function indexOf(pod: Pod): number | undefined {
  const text = annotationOf(pod, indexAnnotation) ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** When the pod ended, in milliseconds: its last container's end, or else the best guess there is. */
export function endOf(pod: Pod): number {
  const ends = (pod.status?.containerStatuses ?? []).map(
    ({ state }) => millisecondsOf(state?.terminated?.finishedAt) ?? 0,
  );
  const { deletionTimestamp, creationTimestamp } = pod.metadata ?? {};
  return Math.max(...ends, 0) || millisecondsOf(deletionTimestamp) || millisecondsOf(creationTimestamp) || 0;
}

/** A pod for the job, and for one of its indexes if it is Indexed. `suffix` makes its name its own. */
export function podFor(job: Job, index: number | undefined, suffix: string): Pod {
  const template = job.spec?.template;
  const stem = index === undefined ? nameOf(job) : `${nameOf(job)}-${index}`;
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${stem.slice(0, 62 - suffix.length).replace(/[-.]+$/, '')}-${suffix}`,
      namespace: namespaceOf(job),
      labels: { ...template?.metadata?.labels },
      annotations: {
        ...template?.metadata?.annotations,
        ...(index !== undefined && { [indexAnnotation]: String(index) }),
      },
      finalizers: [...(template?.metadata?.finalizers ?? []), trackingFinalizer],
      ownerReferences: [managedBy(job, 'batch/v1', 'Job')],
    },
    spec: { ...template?.spec, containers: template?.spec?.containers ?? [] },
  };
  if (index !== undefined && pod.spec) {
    pod.spec.hostname = stem;
    pod.spec.containers = pod.spec.containers.map(withIndexVariable);
    if (pod.spec.initContainers) pod.spec.initContainers = pod.spec.initContainers.map(withIndexVariable);
  }
  return pod;
}

type Container = NonNullable<Pod['spec']>['containers'][number];

const indexVariable = {
  name: 'JOB_COMPLETION_INDEX',
  valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${indexAnnotation}']` } },
};

const withIndexVariable = (container: Container): Container => {
  const env = container.env ?? [];
  return env.some(({ name }) => name === indexVariable.name)
    ? container
    : { ...container, env: [...env, indexVariable] };
};
