import { slip } from '../fault.ts';

/** What a Deployment tells of its rollout. */
export default [
  slip(
    'a rollout that was done is under way again as soon as a pod of it is available no longer',
    'component',
    '../controllers/deployment/progress.ts',
    'done || (alone && old?.reason === available && old.message === success)',
    'done',
  ),
  slip(
    'pods of a surge are none of those that a deployment calls unavailable',
    'component',
    '../controllers/deployment/status.ts',
    'Math.max(0, sum(all.map(replicasOf)) - availableReplicas)',
    'Math.max(0, replicasOf(newest ?? all[0] ?? {}) - availableReplicas)',
  ),
];
