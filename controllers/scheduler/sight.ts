import type { Node, Pod } from '../runtime/resources.ts';

/** What is there when a pod is to be placed. */
export interface Sight {
  readonly nodes: readonly Node[];
  /** The pods of a node that have not ended. */
  readonly podsOn: (node: string) => readonly Pod[];
  /** All of them that do not want to be beside certain others. */
  readonly loners: readonly Pod[];
  /** Why its volumes keep the pod from a node. */
  readonly volumeObjection: (node: Node) => string | undefined;
  readonly labelsOfNamespace: (name: string) => Readonly<Record<string, string>> | undefined;
}
