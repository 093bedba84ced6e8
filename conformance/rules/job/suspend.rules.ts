import { defaultRule } from '../field-rules.ts';

export default [defaultRule({ id: 'job.suspend.default', kind: 'jobs', path: 'spec.suspend', value: false })];
