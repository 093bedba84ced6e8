import { groupVersionRule } from './group-version-rule.ts';

export default [groupVersionRule('endpointslice', 'endpointSlices')];
