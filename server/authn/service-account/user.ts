import type { KubeObject } from '../../base/kube-object.ts';
import type { User } from '../../base/user.ts';
import { knownUser, noExtra } from '../known-user.ts';

/** The user that a service account is. */
export const serviceAccountName = (namespace: string, name: string) => `system:serviceaccount:${namespace}:${name}`;

export interface PodClaim {
  readonly name: string;
  readonly uid: string;
}

export function serviceAccountUser(namespace: string, name: string, uid: string, pod?: PodClaim): User {
  const extra: Record<string, readonly string[]> = Object.create(null);
  if (pod) {
    extra['authentication.kubernetes.io/pod-name'] = [pod.name];
    extra['authentication.kubernetes.io/pod-uid'] = [pod.uid];
  }
  return knownUser({
    name: serviceAccountName(namespace, name),
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra: pod ? extra : noExtra,
  });
}

/** An object that is being deleted still counts for this long, so that what runs can come to its end. */
const graceMs = 60_000;

/** @throws Error unless the object is there, is the same as when the token was made, and is not being deleted for long */
export function mustLive(object: KubeObject | undefined, uid: string, what: string, now: number): void {
  if (!object || object.metadata.uid !== uid) throw new Error(`the ${what} of the token is gone`);
  const { deletionTimestamp } = object.metadata;
  if (deletionTimestamp && Date.parse(deletionTimestamp) + graceMs < now) {
    throw new Error(`the ${what} of the token is being deleted`);
  }
}
