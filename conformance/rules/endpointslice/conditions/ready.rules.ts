import { terminatingPodRule } from '../terminating-pod.ts';

export default [terminatingPodRule('endpointslice.conditions.ready.terminating', 'ready', true, false)];
