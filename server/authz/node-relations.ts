import type { KubeObject } from '../base/kube-object.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../base/untyped.ts';
import { mirrorAnnotation } from '../kinds/core/pod/annotations.ts';
import { follow } from '../store/follow.ts';
import { nameIn, type StoredKind } from '../store/object-keys.ts';
import type { Store, Subscription } from '../store/store.ts';

/**
 * Which objects the pods of a node use: what a node agent must be able to read, and nothing else of its kind. Kept
 * up with the store; only pods that are bound to a node count, and no mirror pods, because a node could make those
 * up to reach any object.
 */

/** `secrets ns/name`, `persistentvolumes /name` */
const keyOf = (resource: string, namespace: string, name: string) => `${resource} ${namespace}/${name}`;

/** Volume sources whose `secretRef.name` (or similar) names a Secret of the pod's namespace. */
const secretRefSources = ['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'];

function* volumeReferences(volume: Fields, podName: string): Generator<[resource: string, name: string]> {
  yield ['secrets', textOf(fieldsOf(volume.secret).secretName)];
  yield ['configmaps', textOf(fieldsOf(volume.configMap).name)];
  yield ['persistentvolumeclaims', textOf(fieldsOf(volume.persistentVolumeClaim).claimName)];
  if (volume.ephemeral) yield ['persistentvolumeclaims', `${podName}-${textOf(volume.name)}`];
  for (const source of listOf(fieldsOf(volume.projected).sources)) {
    yield ['secrets', textOf(fieldsOf(source.secret).name)];
    yield ['configmaps', textOf(fieldsOf(source.configMap).name)];
  }
  for (const source of secretRefSources) yield ['secrets', textOf(fieldsOf(fieldsOf(volume[source]).secretRef).name)];
  yield ['secrets', textOf(fieldsOf(volume.azureFile).secretName)];
  yield ['secrets', textOf(fieldsOf(fieldsOf(volume.csi).nodePublishSecretRef).name)];
}

function* containerReferences(container: Fields): Generator<[resource: string, name: string]> {
  for (const { valueFrom } of listOf(container.env)) {
    yield ['secrets', textOf(fieldsOf(fieldsOf(valueFrom).secretKeyRef).name)];
    yield ['configmaps', textOf(fieldsOf(fieldsOf(valueFrom).configMapKeyRef).name)];
  }
  for (const { secretRef, configMapRef } of listOf(container.envFrom)) {
    yield ['secrets', textOf(fieldsOf(secretRef).name)];
    yield ['configmaps', textOf(fieldsOf(configMapRef).name)];
  }
}

function* podReferences(pod: KubeObject): Generator<[resource: string, name: string]> {
  const spec = fieldsOf(pod.spec);
  yield ['serviceaccounts', textOf(spec.serviceAccountName)];
  for (const secret of listOf(spec.imagePullSecrets)) yield ['secrets', textOf(secret.name)];
  for (const volume of listOf(spec.volumes)) yield* volumeReferences(volume, pod.metadata.name ?? '');
  const containers = [spec.initContainers, spec.containers, spec.ephemeralContainers].flatMap(listOf);
  for (const container of containers) yield* containerReferences(container);
}

function keysOfPod(pod: KubeObject): Set<string> {
  const namespace = pod.metadata.namespace ?? '';
  const keys = new Set<string>();
  for (const [resource, name] of podReferences(pod)) if (name) keys.add(keyOf(resource, namespace, name));
  return keys;
}

/**
 * Secret references of the volume sources a PersistentVolume may have, as far as nodes need them: a driver attaches and
 * grows volumes elsewhere, with secrets of its own for that.
 */
const volumeSecretFields = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef', 'secretRef'];

interface Volume {
  /** Key of the claim that the volume is bound to. */
  readonly claim: string;
  readonly secrets: ReadonlySet<string>;
}

function volumeOf(object: KubeObject): Volume | undefined {
  const spec = fieldsOf(object.spec);
  const claim = fieldsOf(spec.claimRef);
  const namespace = textOf(claim.namespace);
  if (!textOf(claim.name)) return undefined;
  const secrets = new Set<string>();
  for (const source of Object.values(spec).map(fieldsOf)) {
    for (const ref of volumeSecretFields.map((field) => fieldsOf(source[field]))) {
      if (textOf(ref.name)) secrets.add(keyOf('secrets', textOf(ref.namespace) || namespace, textOf(ref.name)));
    }
    const named = textOf(source.secretName);
    if (named) secrets.add(keyOf('secrets', textOf(source.secretNamespace) || namespace, named));
  }
  return { claim: keyOf('persistentvolumeclaims', namespace, textOf(claim.name)), secrets };
}

/** Counts how often each key is used, so that one pod's end does not hide what another still uses. */
class Uses {
  readonly #counts = new Map<string, number>();
  add(key: string, by: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + by;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
  has(key: string): boolean {
    return this.#counts.has(key);
  }
  get empty(): boolean {
    return this.#counts.size === 0;
  }
}

export class NodeRelations {
  readonly #pods = new Map<string, { node: string; keys: ReadonlySet<string> }>();
  readonly #usedBy = new Map<string, Uses>();
  /** PersistentVolume's name -> what it is bound to */
  readonly #volumes = new Map<string, Volume>();
  /** Secret's key -> names of the PersistentVolumes that need it */
  readonly #volumesOfSecret = new Map<string, Set<string>>();
  readonly #attachments = new Map<string, string>();

  /** Reads what there is and follows it until the subscription is stopped. */
  async follow(store: Store): Promise<Pick<Subscription, 'stop'>> {
    const subscriptions: Subscription[] = [];
    const parts: [StoredKind, (key: string, current: KubeObject | undefined) => void][] = [
      [{ group: '', resource: 'pods' }, (key, pod) => this.#putPod(key, pod)],
      [{ group: '', resource: 'persistentvolumes' }, (key, volume) => this.#putVolume(nameIn(key), volume)],
      [
        { group: 'storage.k8s.io', resource: 'volumeattachments' },
        (key, attachment) => this.#putAttachment(nameIn(key), attachment),
      ],
    ];
    for (const [kind, put] of parts) {
      subscriptions.push(await follow(store, kind, { each: ({ key, current }) => put(key, current?.value) }));
    }
    return {
      stop: () => {
        for (const subscription of subscriptions) subscription.stop();
      },
    };
  }

  /** Whether a pod of the node uses the object, itself or through the volume of a claim. */
  uses(node: string, resource: string, namespace: string, name: string): boolean {
    const used = this.#usedBy.get(node);
    if (!used) return false;
    if (resource === 'persistentvolumes') return used.has(this.#volumes.get(name)?.claim ?? '');
    const key = keyOf(resource, namespace, name);
    if (used.has(key)) return true;
    const volumes = this.#volumesOfSecret.get(key) ?? [];
    return [...volumes].some((volume) => used.has(this.#volumes.get(volume)?.claim ?? ''));
  }

  /** Whether the VolumeAttachment is for this node. */
  attachedTo(node: string, attachment: string): boolean {
    return this.#attachments.get(attachment) === node;
  }

  #putPod(key: string, pod: KubeObject | undefined): void {
    const before = this.#pods.get(key);
    const node =
      pod && pod.metadata.annotations?.[mirrorAnnotation] === undefined ? textOf(fieldsOf(pod.spec).nodeName) : '';
    const after = pod && node ? { node, keys: keysOfPod(pod) } : undefined;
    if (after) {
      this.#pods.set(key, after);
      this.#count(after.node, after.keys, 1);
    } else this.#pods.delete(key);
    if (before) this.#count(before.node, before.keys, -1);
  }

  #count(node: string, keys: ReadonlySet<string>, by: 1 | -1): void {
    const uses = this.#usedBy.get(node) ?? new Uses();
    for (const key of keys) uses.add(key, by);
    if (uses.empty) this.#usedBy.delete(node);
    else this.#usedBy.set(node, uses);
  }

  #putVolume(name: string, object: KubeObject | undefined): void {
    for (const secret of this.#volumes.get(name)?.secrets ?? []) {
      const names = this.#volumesOfSecret.get(secret);
      names?.delete(name);
      if (names?.size === 0) this.#volumesOfSecret.delete(secret);
    }
    const volume = object && volumeOf(object);
    if (!volume) {
      this.#volumes.delete(name);
      return;
    }
    this.#volumes.set(name, volume);
    for (const secret of volume.secrets) {
      const names = this.#volumesOfSecret.get(secret);
      if (names) names.add(name);
      else this.#volumesOfSecret.set(secret, new Set([name]));
    }
  }

  #putAttachment(name: string, object: KubeObject | undefined): void {
    if (object) this.#attachments.set(name, textOf(fieldsOf(object.spec).nodeName));
    else this.#attachments.delete(name);
  }
}
