import { checkNeeded, type OptionKind } from '../../mistyped.ts';
import { type Index, itself, type Loop, managerOf, type Reconciler, type Watching } from './controller.ts';
import type { KubeObject } from './kube-object.ts';
import type { Resource } from './resources.ts';

export interface ControllerParts<T extends KubeObject> {
  /** The kind whose objects are worked on, each under its own key. */
  readonly for: Resource<T>;
  /** Kinds of which they manage objects: a change of one brings its manager. */
  readonly owns?: readonly Resource[];
  readonly reconcile: Reconciler;
  /** In events, logs and metrics; without it the plural of the kind. */
  readonly name?: string;
  /** What else brings keys. */
  readonly watches?: readonly Watching[];
  /** Kinds that are read and bring no keys. */
  readonly reads?: readonly Resource[];
  readonly indexes?: readonly Index[];
  /** Keys worked on at once; 1 without it. */
  readonly concurrency?: number;
}

/** The type asks for one that is missing here. */
const kinds: Readonly<Record<keyof ControllerParts<KubeObject>, OptionKind>> = {
  ...{ for: 'an object', owns: 'a list', reconcile: 'a function', name: 'a text', watches: 'a list' },
  ...{ reads: 'a list', indexes: 'a list', concurrency: 'a number' },
};

/**
 * A controller of the usual form, for `startControllers({ loops: [mine] })`.
 * @throws Error, a TypeError, for parts that cannot be meant, such as one by another name, and without its kind or what it does
 */
export function makeController<T extends KubeObject>(parts: ControllerParts<T>): Loop {
  checkNeeded(parts, kinds, ['for', 'reconcile']);
  const { for: kind, owns = [], name = kind.plural, watches = [], ...rest } = parts;
  return {
    ...rest,
    name,
    watches: [itself(kind), ...owns.map((owned) => managerOf(owned, kind.kind)), ...watches],
  };
}
