import type { KubeObject } from '../base/kube-object.ts';

/** Turns an object into another version of its kind. Never changes its argument. @throws what the webhook's failure means */
export type ConvertObject = (object: KubeObject, apiVersion: string) => KubeObject | Promise<KubeObject>;

/** Strategy `None`: versions differ in their name alone. */
export const relabel: ConvertObject = (object, apiVersion) => ({ ...object, apiVersion });
