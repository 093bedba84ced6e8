import { groupVersionRule } from './group-version-rule.ts';

export default [groupVersionRule('event', 'events')];
