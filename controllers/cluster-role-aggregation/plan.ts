import type { V1LabelSelector } from '@kubernetes/client-node';
import { nameOf, type Wire } from '../runtime/kube-object.ts';
import type { ClusterRole } from '../runtime/resources.ts';
import { matches } from '../runtime/selector.ts';

/** The rules that a role aggregates: those of the roles its selectors choose, by name, each once. */
export function aggregatedRules(role: ClusterRole, all: readonly ClusterRole[]): NonNullable<ClusterRole['rules']> {
  const selectors: readonly Wire<V1LabelSelector>[] = role.aggregationRule?.clusterRoleSelectors ?? [];
  const sources = all
    .filter(
      (each) => nameOf(each) !== nameOf(role) && selectors.some((selector) => matches(selector, each.metadata?.labels)),
    )
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const rules = new Map(sources.flatMap(({ rules: own }) => (own ?? []).map((rule) => [JSON.stringify(rule), rule])));
  return [...rules.values()];
}

export const isSame = (a: ClusterRole['rules'], b: ClusterRole['rules']): boolean =>
  JSON.stringify(a ?? []) === JSON.stringify(b ?? []);
