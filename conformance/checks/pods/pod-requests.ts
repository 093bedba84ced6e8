import type { MinorRange } from '../../holds-for.ts';
import type { Json } from '../../verbs/json.ts';

/** Binds a pod to a node that there is not. */
export const bindingOf = (pod: string): Json => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: pod },
  target: { kind: 'Node', name: 'touchstone-nowhere' },
});

/** Asks for the end of a pod. */
export const evictionOf = (pod: string): Json => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name: pod },
});

/** The versions that take an eviction by its stable version. */
export const evicting: MinorRange = { from: 22 };
