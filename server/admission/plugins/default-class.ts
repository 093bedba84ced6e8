import type { KubeObject } from '../../base/kube-object.ts';

/** The class that an annotation marks as the default: of several the newest, of equally old ones the first by name. */
export function defaultClass(classes: readonly KubeObject[], annotations: readonly string[]): string | undefined {
  const time = ({ metadata }: KubeObject) => metadata.creationTimestamp ?? '';
  let newest: KubeObject | undefined;
  for (const each of classes) {
    const marked = annotations.some((annotation) => each.metadata.annotations?.[annotation] === 'true');
    if (marked && (!newest || time(each) > time(newest))) newest = each;
  }
  return newest?.metadata.name;
}
