import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { scalingAnnotations } from './annotations.ts';
import { planDeployment } from './plan.ts';

/** A Deployment of four pods. */
export const deployment = (spec: object = {}, image = 'v1'): Deployment =>
  ({
    metadata: { namespace: 'ns', name: 'web', uid: 'd', generation: 1 },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      ...spec,
    },
  }) as Deployment;

/** The same with other containers. */
export const withImage = (subject: Deployment, image: string): Deployment => ({
  ...subject,
  spec: {
    ...deployment(subject.spec, image).spec,
    ...{ template: deployment({}, image).spec?.template },
  } as NonNullable<Deployment['spec']>,
});

/** The same, saying this too. */
export const changed = (subject: Deployment, spec: object, metadata: object = {}): Deployment => ({
  ...subject,
  metadata: { ...subject.metadata, ...metadata },
  spec: { ...subject.spec, ...spec } as NonNullable<Deployment['spec']>,
});

/** Sets that do at once what they are told, except that new pods become available one at a time. */
export class World {
  sets: ReplicaSet[] = [];
  subject: Deployment;

  constructor(subject: Deployment) {
    this.subject = subject;
  }

  /** Carries out the next plan. Answers whether anything was done. */
  step(): boolean {
    const plan = planDeployment(this.subject, this.sets);
    if (plan.create)
      this.sets.push({ ...plan.create, status: { replicas: plan.create.spec?.replicas ?? 0, availableReplicas: 0 } });
    if (plan.adjust) {
      const { set, annotations, minReadySeconds } = plan.adjust;
      this.#annotate(set, annotations);
      if (minReadySeconds !== undefined) set.spec = { ...set.spec, minReadySeconds } as NonNullable<ReplicaSet['spec']>;
    }
    for (const { set, replicas } of plan.scale) this.#scale(set, replicas);
    this.sets = this.sets.filter((set) => !plan.delete.includes(set));
    return Boolean(plan.create) || Boolean(plan.adjust) || plan.scale.length + plan.delete.length > 0;
  }

  /** One more pod becomes available. Answers whether there was one. */
  ripen(): boolean {
    const unripe = this.sets.find(({ status }) => (status?.availableReplicas ?? 0) < (status?.replicas ?? 0));
    if (unripe?.status)
      unripe.status = { ...unripe.status, availableReplicas: (unripe.status.availableReplicas ?? 0) + 1 };
    return unripe !== undefined;
  }

  settle(check: () => void = () => {}): void {
    for (let turn = 0; turn < 500; turn += 1) {
      const acted = this.step();
      check();
      if (!acted && !this.ripen()) return;
    }
    throw new Error('it never settles');
  }

  total(name: 'replicas' | 'availableReplicas'): number {
    return this.sets.reduce((sum, { status }) => sum + (status?.[name] ?? 0), 0);
  }

  #annotate(set: ReplicaSet, annotations: object): void {
    set.metadata = { ...set.metadata, annotations: { ...set.metadata?.annotations, ...annotations } };
  }

  #scale(set: ReplicaSet, replicas: number): void {
    this.#annotate(set, scalingAnnotations(this.subject));
    set.spec = { ...set.spec, replicas } as NonNullable<ReplicaSet['spec']>;
    set.status = { ...set.status, replicas, availableReplicas: Math.min(replicas, set.status?.availableReplicas ?? 0) };
  }
}
