import type { KubeObject } from '../../base/kube-object.ts';

/** The classes that one of these annotations marks as the default. */
export const defaultClasses = <T extends KubeObject>(classes: readonly T[], annotations: readonly string[]): T[] =>
  classes.filter(({ metadata }) => annotations.some((annotation) => metadata.annotations?.[annotation] === 'true'));
