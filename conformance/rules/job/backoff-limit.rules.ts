import { defaultRule } from '../field-rules.ts';

export default [defaultRule({ id: 'job.backoff-limit.default', kind: 'jobs', path: 'spec.backoffLimit', value: 6 })];
