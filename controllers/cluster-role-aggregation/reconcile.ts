import { bringing, type Loop, type Reconciler } from '../runtime/controller.ts';
import { nameOf } from '../runtime/kube-object.ts';
import { clusterRoles } from '../runtime/resources.ts';
import { aggregatedRules, isSame } from './plan.ts';

/** Keeps the rules of aggregated roles in step with the roles they are made of. */
const reconcile: Reconciler = async ({ key, read, write }) => {
  const role = read(clusterRoles).find(key);
  if (!role?.aggregationRule) return undefined;
  const rules = aggregatedRules(role, read(clusterRoles).all());
  if (!isSame(role.rules, rules)) await write(clusterRoles).patch(role, { rules });
  return undefined;
};

export const clusterRoleAggregationLoops: readonly Loop[] = [
  {
    name: 'clusterrole-aggregation',
    // Any role may be part of any aggregated one.
    watches: [
      bringing(clusterRoles, (_role, read) =>
        read(clusterRoles)
          .all()
          .filter((each) => each.aggregationRule)
          .map(nameOf),
      ),
    ],
    reconcile,
  },
];
